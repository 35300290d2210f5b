#include <cstdio>

__global__ void Answer(int* out) { *out = 42; }

int main() {
  int *out, host;
  cudaMalloc(&out, sizeof(int));
  Answer<<<1, 1>>>(out);
  cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  cudaFree(out);
}
