// score: 0
// says: 2048
// A block of 2048 threads is too large.
#include "cipher.h"

__global__ void replace(const int* text, const int* table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[text[i]];
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  replace<<<(n + 2047) / 2048, 2048>>>(text, table, out, n);
}
