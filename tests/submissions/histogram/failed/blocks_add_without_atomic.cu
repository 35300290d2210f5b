// score: 0
// says: atomic
// Blocks add their counts to the result, and overwrite what others add.
#include "histogram.h"

__global__ void add_global_first(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bytes[i]], 1);
  __syncthreads();
  bins[threadIdx.x] += counts[threadIdx.x];  // expect: atomic
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  add_global_first<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}
