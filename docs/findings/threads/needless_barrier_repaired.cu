#include <cstdio>

// Each thread uses only the element that it has written itself.
__global__ void SquareTwice(int* values) {
  const int t = threadIdx.x;
  const int square = values[t] * values[t];
  values[t] = square * square;
}

int main() {
  int* values;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMemset(values, 0, 256 * sizeof(int));
  SquareTwice<<<1, 256>>>(values);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
