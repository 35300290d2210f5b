// score: 45
// says: sectors
// Each block has a single thread.
#include "cipher.h"

__global__ void replace(const int* text, const int* table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[text[i]];
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  replace<<<n, 1>>>(text, table, out, n);
}
