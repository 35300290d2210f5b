// WRONG: __syncwarp() of each half, but lanes read what the other half wrote.
// finds: shared_race
// prints: 16
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Exchange(int* out) {
  __shared__ int words[32];
  int t = threadIdx.x;
  words[t] = t;  // named
#ifdef WRONG
  __syncwarp(t < 16 ? 0x0000ffff : 0xffff0000);
#else
  __syncwarp();
#endif
  out[t] = words[t ^ 16];  // named
}

int main() {
  int *out, host[32];
  cudaMalloc(&out, 128);
  Exchange<<<1, 32>>>(out);
  cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(out);
  return 0;
}
