#include <cstdio>

// Reads a performance counter of the multiprocessor.
__global__ void ReadCounter(unsigned* out) {
  unsigned value;
  asm volatile("mov.u32 %0, %%pm0;" : "=r"(value));
  *out = value;
}

int main() {
  unsigned* out;
  cudaMalloc(&out, sizeof(unsigned));
  ReadCounter<<<1, 1>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
