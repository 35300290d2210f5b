// All blocks add to one total, and count themselves; the last one reads the total.
// WRONG: no fence between the addition and the count.
// finds: global_race
// prints: 136
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned counted;
__device__ int total;
__global__ void Add(int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(&total, blockIdx.x + 1);  // named
#ifndef WRONG
  __threadfence();
#endif
  if (atomicAdd(&counted, 1) < gridDim.x - 1) return;
#ifndef WRONG
  __threadfence();
#endif
  *out = atomicOr(&total, 0);  // named
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  Add<<<16, 32>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(out);
}
