#include <cstdio>

__device__ unsigned done = 0;

__global__ void Sum(const int* values, int* sums) {
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += values[blockIdx.x * 64 + i];
  sums[blockIdx.x] = sum;
  __threadfence();
  if (atomicAdd(&done, 1) != gridDim.x - 1) return;
  __threadfence();
  int all = 0;
  for (int b = 0; b < gridDim.x; ++b) all += sums[b];
  sums[gridDim.x] = all;
}

int main() {
  int *values, *sums, all = 0;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&sums, 5 * sizeof(int));
  cudaMemset(values, 1, 256 * sizeof(int));
  Sum<<<4, 1>>>(values, sums);
  cudaMemcpy(&all, sums + 4, sizeof all, cudaMemcpyDeviceToHost);
  printf("%d\n", all);
  cudaFree(values);
  cudaFree(sums);
}
