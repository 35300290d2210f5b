// A look-back in which each block has two tiles, one after the other. A word has a sum and its
// status, and is volatile: whoever reads a word knows by itself whether the sum is there, whatever
// the block wrote later.
// prints: 2080
// notes: volatile_race
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned SumBefore(volatile unsigned long long* words, int tile) {
  unsigned before = 0;
  for (int other = tile - 1; other >= 0; other--) {
    unsigned long long word;
    do {
      word = words[other];
    } while (word >> 32 == 0);
    before += unsigned(word);
    if (word >> 32 == 2) break;
  }
  return before;
}

__global__ void Scan(volatile unsigned long long* words, int* out) {
  if (threadIdx.x != 0) return;
  for (int tile = blockIdx.x; tile < 64; tile += gridDim.x) {
    words[tile] = 1ull << 32 | unsigned(tile + 1);
    const unsigned before = SumBefore(words, tile);
    words[tile] = 2ull << 32 | (before + tile + 1);
    out[tile] = before + tile + 1;
  }
}

int main() {
  unsigned long long* words;
  int *out, host[64];
  cudaMalloc(&words, 512);
  cudaMalloc(&out, 256);
  cudaMemset(words, 0, 512);
  Scan<<<32, 32>>>(words, out);
  cudaMemcpy(host, out, 256, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[63]);
  cudaFree(words);
  cudaFree(out);
}
