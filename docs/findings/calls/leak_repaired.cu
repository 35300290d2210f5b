#include <cstdio>

__global__ void Count(int* count) { atomicAdd(count, 1); }

int main() {
  int *count, host;
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  Count<<<2, 32>>>(count);
  cudaMemcpy(&host, count, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  cudaFree(count);
}
