// score: 100
// The table always goes to constant memory. For mixed letters each of 24 blocks fills its shared
// copy from there: constant memory gives one entry a pass, which is slow, but happens once. No
// kernel loads the table from global memory.
#include "cipher.h"

__constant__ int table_in_constant[kMostLetters];

template <bool kMixed>
__global__ void replace(const int* text, int* out, int n, int letters) {
  __shared__ int copy[kMixed ? kMostLetters : 1];
  if constexpr (kMixed) {
    for (int i = threadIdx.x; i < letters; i += blockDim.x) copy[i] = table_in_constant[i];
    __syncthreads();
  }
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    if constexpr (kMixed) {
      out[i] = copy[text[i]];
    } else {
      out[i] = table_in_constant[text[i]];
    }
    if (n - i <= stride) break;  // i + stride may be too large for an int
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  void* place = nullptr;
  cudaGetSymbolAddress(&place, table_in_constant);
  cudaMemcpy(place, table, letters * sizeof(int), cudaMemcpyDeviceToDevice);
  constexpr int kBlocks = 24, kThreads = 512;
  if (run < 32) {
    replace<true><<<kBlocks, kThreads>>>(text, out, n, letters);
  } else {
    replace<false><<<kBlocks, kThreads>>>(text, out, n, letters);
  }
}
