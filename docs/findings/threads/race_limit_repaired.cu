#include <cstdio>

// Each block sets a flag when its elements are written.
__global__ void WriteAndSignal(int* values, int* flags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&flags[blockIdx.x], 1);
}

int main() {
  const int n = 600 * 1024;
  int *values, *flags;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&flags, n * sizeof(int));
  cudaMemset(flags, 0, n * sizeof(int));
  WriteAndSignal<<<n / 1024, 1024>>>(values, flags);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
  cudaFree(flags);
}
