#include <cstdio>

__global__ void Count(int* count) { atomicAdd(count, 1); }

int main() {
  int* count;
  cudaMallocManaged(&count, sizeof(int));
  *count = 0;
  Count<<<4, 32>>>(count);
  printf("%d\n", *count);
  cudaDeviceSynchronize();
  cudaFree(count);
}
