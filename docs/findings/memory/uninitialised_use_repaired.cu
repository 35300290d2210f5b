#include <cstdio>

__global__ void CountEven(int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) atomicAdd(count, 1);
}

int main() {
  int *count, result;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  CountEven<<<4, 256>>>(count);
  cudaMemcpy(&result, count, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(count);
}
