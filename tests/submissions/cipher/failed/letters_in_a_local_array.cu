// score: 65
// says: local memory
// For mixed letters each thread copies the table to an array of its own, and reads it there by an
// index that the compiler does not know: this array is a part of device memory.
#include "cipher.h"

__constant__ int entries[2048];

__global__ void substitute_runs(const int* text, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = entries[text[i]];
}

__global__ void substitute_mixed(const int* text, int* out, int n, int letters) {
  int own[2048];
  for (int i = 0; i < letters; ++i) own[i] = entries[i];
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = own[text[i]];  // expect: local memory
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  cudaMemcpyToSymbol(entries, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
  if (run >= 32) {
    substitute_runs<<<(n + 255) / 256, 256>>>(text, out, n);
  } else {
    substitute_mixed<<<8, 256>>>(text, out, n, letters);
  }
}
