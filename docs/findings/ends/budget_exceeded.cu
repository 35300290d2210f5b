#include <cstdio>

// Each thread halves its number until it is one.
__global__ void Halvings(int* out) {
  int steps = 0;
  for (int x = threadIdx.x; x != 1; x /= 2) ++steps;
  out[threadIdx.x] = steps;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  Halvings<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
