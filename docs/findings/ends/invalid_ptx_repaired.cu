#include <cstdio>

// Returns the number after `value`.
__device__ int Next(int value) { return value + 1; }

__global__ void Count(int* out) { *out = Next(*out); }

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  Count<<<1, 1>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
