// A filter's weights in constant memory are set with cudaMemcpyToSymbolAsync().
// WRONG: the copy is in another stream than the kernel that reads them.
// finds: unordered_use
// prints: 100.0
#include <cstdio>

__constant__ float weights[5];

__global__ void Filter(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 || i >= n - 2) return;
  float sum = 0;
  for (int k = -2; k <= 2; k++) sum += weights[k + 2] * in[i + k];
  out[i] = sum;
}

int main() {
  const int n = 4096;
  float *in, *out, *host_weights, *result;
  cudaMallocHost(&host_weights, 5 * sizeof(float));
  cudaMallocHost(&result, n * sizeof(float));
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  for (int i = 0; i < n; i++) result[i] = i;
  for (int k = 0; k < 5; k++) host_weights[k] = 0.2f;
  cudaStream_t setup, work;
  cudaStreamCreate(&setup);
  cudaStreamCreate(&work);
#ifdef WRONG
  cudaMemcpyToSymbolAsync(weights, host_weights, sizeof(weights), 0,
                          cudaMemcpyHostToDevice,  // named
                          setup);
#else
  cudaMemcpyToSymbolAsync(weights, host_weights, sizeof(weights), 0, cudaMemcpyHostToDevice, work);
#endif
  cudaMemcpyAsync(in, result, n * sizeof(float), cudaMemcpyHostToDevice, work);
  Filter<<<n / 256, 256, 0, work>>>(in, out, n);  // named
  cudaMemcpyAsync(result, out, n * sizeof(float), cudaMemcpyDeviceToHost, work);
  cudaStreamSynchronize(work);
  printf("%.1f\n", result[100]);
  cudaDeviceSynchronize();
  cudaStreamDestroy(setup);
  cudaStreamDestroy(work);
  cudaFreeHost(host_weights);
  cudaFreeHost(result);
  cudaFree(in);
  cudaFree(out);
}
