#include <cstdio>

// Each thread sets a flag when its element is written.
__global__ void WriteAndSignal(int* values, int* flags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = i;
  __threadfence();
  atomicExch(&flags[i], 1);
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
