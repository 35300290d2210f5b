// A look-back over blocks with the sum and its status in one 64-bit word, which is volatile.
// prints: 528
// notes: volatile_race
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Scan(volatile unsigned long long* words, int* out) {
  if (threadIdx.x != 0) return;
  unsigned b = blockIdx.x, before = 0;
  for (int other = int(b) - 1; other >= 0; other--) {
    unsigned long long word;
    do {
      word = words[other];
    } while (word >> 32 == 0);
    before += unsigned(word);
    if (word >> 32 == 2) break;
  }
  words[b] = 2ull << 32 | (before + b + 1);
  out[b] = before + b + 1;
}

int main() {
  unsigned long long* words;
  int *out, host[32];
  cudaMalloc(&words, 256);
  cudaMalloc(&out, 128);
  cudaMemset(words, 0, 256);
  Scan<<<32, 32>>>(words, out);
  cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[31]);
  cudaFree(words);
  cudaFree(out);
}
