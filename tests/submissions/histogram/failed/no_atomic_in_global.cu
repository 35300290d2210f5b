// score: 0
// says: atomic
// Threads increment the result itself, and overwrite each other's counts.
#include "histogram.h"

__global__ void increment_bins(const unsigned char* bytes, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[bytes[i]]++;  // expect: atomic
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  increment_bins<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}
