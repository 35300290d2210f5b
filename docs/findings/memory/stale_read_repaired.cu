#include <cstdio>

__global__ void Sum(const int* values, int* sums, unsigned* done, int* total) {
  __shared__ bool last;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += values[blockIdx.x * 64 + i];
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  __threadfence();
  int all = 0;
  for (int b = 0; b < gridDim.x; ++b) all += sums[b];
  *total = all;
}

int main() {
  int *values, *sums, *total, all = 0;
  unsigned* done;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&sums, 4 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&done, sizeof(unsigned));
  cudaMemset(values, 1, 256 * sizeof(int));
  cudaMemset(done, 0, sizeof(unsigned));
  Sum<<<4, 32>>>(values, sums, done, total);
  cudaMemcpy(&all, total, sizeof all, cudaMemcpyDeviceToHost);
  printf("%d\n", all);
  cudaFree(values);
  cudaFree(sums);
  cudaFree(total);
  cudaFree(done);
}
