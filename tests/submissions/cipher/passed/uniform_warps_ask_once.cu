// score: 100
// A warp votes if all of its letters are equal. Then it needs one entry, from constant memory. If
// not, each lane takes the entry of its own letter by __ldg: in long runs these warps are few. For
// mixed letters the table is in shared memory, and is copied two entries at once.
#include "cipher.h"

__constant__ int one_for_all[kMostLetters];

__global__ void vote(const int* text, const int* __restrict__ table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < n ? text[i] : text[n - 1];  // the lanes behind the text agree
  int equal;
  __match_all_sync(~0u, letter, &equal);
  const int entry = equal ? one_for_all[letter] : __ldg(table + letter);
  if (i < n) out[i] = entry;
}

__global__ void pairs(const int* text, const int* table, int* out, int n, int letters) {
  __shared__ int2 copy[kMostLetters / 2];
  int* const words = reinterpret_cast<int*>(copy);
  for (int i = threadIdx.x; i < letters / 2; i += blockDim.x) {
    copy[i] = reinterpret_cast<const int2*>(table)[i];
  }
  if (threadIdx.x == 0 && letters % 2 == 1) words[letters - 1] = table[letters - 1];
  __syncthreads();
  const int begin = blockIdx.x * 4096;
  const int end = n - begin < 4096 ? n : begin + 4096;
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
    out[i] = words[text[i]];
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  if (run >= 100) {
    cudaMemcpyToSymbol(one_for_all, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
    vote<<<(n + 159) / 160, 160>>>(text, table, out, n);
  } else {
    pairs<<<(n + 4095) / 4096, 512>>>(text, table, out, n, letters);
  }
}
