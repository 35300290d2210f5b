#include <cstdio>

__global__ void Ones(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  int *values, first = 0;
  cudaMalloc(&values, 2048 * sizeof(int));
  cudaMemset(values, 0, 2048 * sizeof(int));
  Ones<<<8, 256>>>(values);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMemcpy(&first, values, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", first);
  cudaFree(values);
}
