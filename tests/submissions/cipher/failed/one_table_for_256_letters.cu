// score: 0
// says: past
// Constant memory has room for 256 entries, as for bytes.
#include "cipher.h"

__constant__ int entries[256];

__global__ void runs(const int* text, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = entries[text[i]];
}

__global__ void mixed(const int* text, const int* table, int* out, int n, int letters) {
  __shared__ int entries_of_block[kMostLetters];
  for (int k = threadIdx.x; k < letters; k += blockDim.x) entries_of_block[k] = table[k];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = entries_of_block[text[i]];
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  if (run >= 32) {
    cudaMemcpyToSymbol(entries, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
    runs<<<(n + 255) / 256, 256>>>(text, out, n);
  } else {
    mixed<<<(n + 2047) / 2048, 256>>>(text, table, out, n, letters);
  }
}
