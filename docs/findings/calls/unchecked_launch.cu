#include <cstdio>

__global__ void Ones(int* values) { values[threadIdx.x] = 1; }

int main() {
  int *values, first = 0;
  cudaMalloc(&values, 2048 * sizeof(int));
  cudaMemset(values, 0, 2048 * sizeof(int));
  Ones<<<1, 2048>>>(values);
  cudaMemcpy(&first, values, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", first);
  cudaFree(values);
}
