#include <cstdio>

// Another file is to define it, and none does.
__device__ int Next(int value);

__global__ void Count(int* out) { *out = Next(*out); }

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  Count<<<1, 1>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
