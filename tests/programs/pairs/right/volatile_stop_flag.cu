// A flag that stops the search of all blocks; a block that sees it late only works in vain.
// prints: 0
// notes: volatile_race
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Search(const int* a, int key, volatile int* stop, int* best, int* looked) {
  for (int i = 0; i < 64 && !*stop; i++) {
    atomicAdd(looked, 1);
    if (a[blockIdx.x * 64 + i] == key) {
      atomicMin(best, blockIdx.x * 64 + i);
      if (key == -1) *stop = 1;
    }
  }
}

int main() {
  int *a, *words;
  cudaMallocManaged(&a, 1024);
  cudaMallocManaged(&words, 12);
  for (int i = 0; i < 256; i++) a[i] = -1;
  words[0] = 0;
  words[1] = 999;
  words[2] = 0;
  Search<<<4, 1>>>(a, -1, words, words + 1, words + 2);
  cudaDeviceSynchronize();
  std::printf("%d\n", words[1]);
  cudaFree(a);
  cudaFree(words);
}
