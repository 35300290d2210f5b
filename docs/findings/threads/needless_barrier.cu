#include <cstdio>

// Each thread uses only the element that it has written itself.
__global__ void SquareTwice(int* values) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = values[t] * values[t];
  __syncthreads();
  values[t] = tile[t] * tile[t];
}

int main() {
  int* values;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMemset(values, 0, 256 * sizeof(int));
  SquareTwice<<<1, 256>>>(values);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
