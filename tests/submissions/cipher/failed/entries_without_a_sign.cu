// score: 0
// says: wrong
// The entries lose their sign: the table is kept as numbers of 31 bits.
#include "cipher.h"

__global__ void entries_of_31_bits(const int* text, const int* table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[text[i]] << 1 >> 1;
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  entries_of_31_bits<<<(n - 1) / 256 + 1, 256>>>(text, table, out, n);
}
