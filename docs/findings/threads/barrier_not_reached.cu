#include <cstdio>

__global__ void ReverseSome(int* values, int n) {
  __shared__ int tile[96];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = values[t];
  __syncthreads();
  values[t] = tile[n - 1 - t];
}

int main() {
  int* values;
  cudaMalloc(&values, 96 * sizeof(int));
  cudaMemset(values, 0, 96 * sizeof(int));
  ReverseSome<<<1, 96>>>(values, 64);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
