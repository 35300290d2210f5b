// A producer block and a consumer block.
// WRONG: the program relies on volatile for the order of data and flag.
// finds: global_race
// notes: volatile_race
// prints: 42
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Pass(volatile int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // named
#ifndef WRONG
    __threadfence();
#endif
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;  // named
  }
}

int main() {
  int* words;
  cudaMalloc(&words, 12);
  cudaMemset(words, 0, 12);
  Pass<<<2, 1>>>(words, words + 1, words + 2);
  int host;
  cudaMemcpy(&host, words + 2, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  cudaFree(words);
}
