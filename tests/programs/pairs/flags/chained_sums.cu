// A chain of blocks: each waits for the flag of the block before it, adds its own number to that
// block's sum, and sets its own flag.
// WRONG: nothing orders a sum before the flag that stands for it.
// finds: global_race
// notes: volatile_race
// prints: 36
#include <cuda_runtime.h>

#include <cstdio>

__global__ void AddUp(volatile int* sums, volatile int* flags, int* last) {
  const int b = blockIdx.x;
  int before = 0;
  if (b > 0) {
    while (flags[b - 1] == 0) {
    }
    __threadfence();
    before = sums[b - 1];  // named
  }
  sums[b] = before + b + 1;  // named
#ifndef WRONG
  __threadfence();
#endif
  flags[b] = 1;
  if (b == gridDim.x - 1) *last = before + b + 1;
}

int main() {
  int* words;
  cudaMalloc(&words, 17 * 4);
  cudaMemset(words, 0, 17 * 4);
  AddUp<<<8, 1>>>(words, words + 8, words + 16);
  int host;
  cudaMemcpy(&host, words + 16, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  cudaFree(words);
}
