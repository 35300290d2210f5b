// score: 85
// says: bank conflict
// The counts are floats, for which shared memory has no atomic instruction: where bytes are equal,
// lanes take turns.
#include "histogram.h"

__global__ void count_in_floats(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ float counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned* words = reinterpret_cast<const unsigned*>(bytes);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n / 4; i += gridDim.x * blockDim.x) {
    unsigned word = words[i];
    for (int j = 0; j < 4; ++j) {
      atomicAdd(&counts[word & 0xff], 1.0F);  // expect: bank conflict
      word >>= 8;
    }
  }
  if (first < n % 4) atomicAdd(&counts[bytes[n - 1 - first]], 1.0F);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], static_cast<unsigned>(counts[threadIdx.x]));
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_in_floats<<<128, 256>>>(bytes, bins, n);
}
