// score: 80
// says: sectors loaded
// The table lies in constant memory, but for mixed letters a load through a generic address reads it.
// A GPU loads such a value like one of global memory.
#include "cipher.h"

__constant__ int entries[2048];

__global__ void substitute_runs(const int* text, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = entries[text[i]];
}

__global__ void substitute_mixed(const int* text, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int entry;
  asm volatile("ld.s32 %0, [%1];" : "=r"(entry) : "l"(entries + text[i]));  // expect: global load
  out[i] = entry;
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  cudaMemcpyToSymbol(entries, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
  const int blocks = (n + 255) / 256;
  if (run >= 32) {
    substitute_runs<<<blocks, 256>>>(text, out, n);
  } else {
    substitute_mixed<<<blocks, 256>>>(text, out, n);
  }
}
