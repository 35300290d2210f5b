#include <cstdio>

__global__ void CountDigits(int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[i % 10], 1);
}

int main() {
  int *bins, host[10];
  cudaMalloc(&bins, sizeof host);
  cudaMemset(bins, 0, sizeof host);
  CountDigits<<<5, 200>>>(bins);
  cudaMemcpy(host, bins, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[0]);
  cudaFree(bins);
}
