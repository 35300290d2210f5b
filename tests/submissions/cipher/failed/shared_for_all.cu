// score: 80
// says: constant memory gives all lanes the same entry
// Each block copies the table to shared memory, also where constant memory needs one pass.
#include "cipher.h"

__global__ void mixed(const int* text, const int* table, int* out, int n, int letters) {
  __shared__ int entries_of_block[kMostLetters];
  for (int k = threadIdx.x; k < letters; k += blockDim.x)
    entries_of_block[k] = table[k];  // expect: sectors
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = entries_of_block[text[i]];
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  mixed<<<(n + 2047) / 2048, 256>>>(text, table, out, n, letters);
}
