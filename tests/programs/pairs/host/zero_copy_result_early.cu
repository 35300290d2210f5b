// A kernel writes its result into mapped memory of the host.
// WRONG: the host reads the result right after the launch.
// finds: early_host_use
// prints: dot product 4000
#include <cstdio>

__global__ void Dot(const float* a, const float* b, float* result, int n) {
  __shared__ float partial[128];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * b[i];
  partial[threadIdx.x] = sum;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *result = partial[0];
}

int main() {
  const int n = 2000;
  cudaSetDeviceFlags(cudaDeviceMapHost);
  float *a, *b, *result;
  cudaHostAlloc(&a, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined);
  cudaHostAlloc(&b, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined);
  cudaHostAlloc(&result, sizeof(float), cudaHostAllocMapped);
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    b[i] = 2.0f;
  }
  *result = -1;
  float *device_a, *device_b, *device_result;
  cudaHostGetDevicePointer(&device_a, a, 0);
  cudaHostGetDevicePointer(&device_b, b, 0);
  cudaHostGetDevicePointer(&device_result, result, 0);
  Dot<<<1, 128>>>(device_a, device_b, device_result, n);  // named
#ifndef WRONG
  cudaDeviceSynchronize();
#endif
  printf("dot product %g\n", *result);  // named
  cudaFreeHost(a);
  cudaFreeHost(b);
  cudaFreeHost(result);
}
