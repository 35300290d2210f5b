// score: 45
// says: memory that may hold copies
// The host copies the text to the result, where each thread loads four neighbouring letters one by
// one: the loads of the text are only made elsewhere. The same kernel stores entries there, so that
// its loads may as well be loads of the table.
#include "cipher.h"

__constant__ int entries[2048];

__global__ void substitute_in_place(int* out, int n, int letters, bool constant) {
  extern __shared__ int table[];
  if (!constant) {
    for (int i = threadIdx.x; i < letters; i += blockDim.x) table[i] = entries[i];
    __syncthreads();
  }
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i * 4 < n; i += step) {
    int four[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int letter = i * 4 + k < n ? out[i * 4 + k] : 0;  // expect: global load
      four[k] = constant ? entries[letter] : table[letter];
    }
    if (i * 4 + 3 < n) {
      reinterpret_cast<int4*>(out)[i] = make_int4(four[0], four[1], four[2], four[3]);
    } else {
      for (int k = 0; i * 4 + k < n; ++k) out[i * 4 + k] = four[k];
    }
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  cudaMemcpyToSymbol(entries, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
  cudaMemcpyAsync(out, text, n * sizeof(int), cudaMemcpyDeviceToDevice);
  const bool constant = run >= 128;
  substitute_in_place<<<12, 256, constant ? 0 : letters * sizeof(int)>>>(out, n, letters, constant);
}
