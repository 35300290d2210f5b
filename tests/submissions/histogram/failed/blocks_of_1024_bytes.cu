// score: 65
// says: 2.0 times
// Each block counts 1 KiB, and adds 256 counts to the result.
#include "histogram.h"

__global__ void count_very_little(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned* words = reinterpret_cast<const unsigned*>(bytes);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n / 4; i += gridDim.x * blockDim.x) {
    unsigned word = words[i];
    for (int j = 0; j < 4; ++j) {
      atomicAdd(&counts[word & 0xff], 1);
      word >>= 8;
    }
  }
  if (first < n % 4) atomicAdd(&counts[bytes[n - 1 - first]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);  // expect: stored or updated
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_very_little<<<(n + 1023) / 1024, 256>>>(bytes, bins, n);
}
