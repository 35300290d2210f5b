// score: 60
// says: constant memory gives all lanes the same entry
// The obvious program: the table stays in global memory.
#include "cipher.h"

__global__ void replace(const int* text, const int* table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[text[i]];
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  replace<<<(n + 255) / 256, 256>>>(text, table, out, n);
}
