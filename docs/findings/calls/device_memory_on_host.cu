#include <cstdio>

__global__ void Answer(int* out) { *out = 42; }

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  Answer<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  cudaFree(out);
}
