#include <cstdio>

extern __shared__ int tile[];
__global__ void UseTile(int* out) {
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  UseTile<<<1, 32, 100 * 1024>>>(out);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(out);
}
