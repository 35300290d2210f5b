// One block clears a total by an atomic, and opens a gate; the others add to it then.
// WRONG: no fence between the exchange and the gate: a number that is added may be cleared.
// finds: global_race
// prints: 15
#include <cuda_runtime.h>

#include <cstdio>

__device__ int gate;
__device__ int total = 100;
__global__ void Add() {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicExch(&total, 0);  // named
#ifndef WRONG
    __threadfence();
#endif
    atomicExch(&gate, 1);
    return;
  }
  while (atomicAdd(&gate, 0) == 0) {
  }
#ifndef WRONG
  __threadfence();
#endif
  atomicAdd(&total, 1);  // named
}

int main() {
  Add<<<16, 32>>>();
  int sum = 0;
  cudaMemcpyFromSymbol(&sum, total, 4);
  std::printf("%d\n", sum);
}
