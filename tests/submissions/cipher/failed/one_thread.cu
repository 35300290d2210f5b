// score: 45
// says: sectors
// One thread replaces all letters. Its reads of constant memory take a pass for each letter.
#include "cipher.h"

__constant__ int entries[kMostLetters];

__global__ void runs(const int* text, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = entries[text[i]];
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  cudaMemcpyToSymbol(entries, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
  runs<<<1, 1>>>(text, out, n);
}
