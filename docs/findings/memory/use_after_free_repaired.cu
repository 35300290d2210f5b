#include <cstdio>

__global__ void Fill(int* values) { values[threadIdx.x] = 7; }

int main() {
  int* values;
  cudaMalloc(&values, 256 * sizeof(int));
  Fill<<<1, 256>>>(values);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(values);
}
