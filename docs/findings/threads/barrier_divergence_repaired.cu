#include <cstdio>

__global__ void ReverseFirst(int* values, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < n) tile[t] = values[t];
  __syncthreads();
  if (t < n) values[t] = tile[n - 1 - t];
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  ReverseFirst<<<1, 64>>>(values, 50);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
