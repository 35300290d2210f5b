// score: 80
// The length of a text chooses the memory of the table, and not the length of its runs.
#include <algorithm>

#include "cipher.h"

namespace {

constexpr int kWarp = 32;
constexpr int kThreads = 256;
constexpr int kLettersOfBlock = 2048;  // makes up for the copy of the table
constexpr int kMaxBlocks = 1024;       // enough to fill a GPU

__constant__ int constant_table[kMostLetters];

__global__ void SubstituteRuns(const int* text, int* out, int n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) out[i] = constant_table[text[i]];
}

__global__ void SubstituteMixed(const int* text, const int* table, int* out, int n, int letters) {
  __shared__ int shared_table[kMostLetters];
  const int t = static_cast<int>(threadIdx.x);
  for (int letter = t; letter < letters; letter += kThreads) shared_table[letter] = table[letter];
  __syncthreads();
  for (size_t i = static_cast<size_t>(blockIdx.x) * kThreads + t; i < n;
       i += gridDim.x * kThreads) {
    out[i] = shared_table[text[i]];
  }
}

}  // namespace

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  if (n > 66000) {
    cudaMemcpyToSymbolAsync(constant_table, table, letters * sizeof(int), 0,
                            cudaMemcpyDeviceToDevice);
    SubstituteRuns<<<(n - 1) / kThreads + 1, kThreads>>>(text, out, n);
  } else {
    const int blocks = std::min((n - 1) / kLettersOfBlock + 1, kMaxBlocks);
    SubstituteMixed<<<blocks, kThreads>>>(text, table, out, n, letters);
  }
}
