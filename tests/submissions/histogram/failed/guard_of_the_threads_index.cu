// score: 0
// says: past the end
// The guard compares the index in the block, not that of the byte.
#include "histogram.h"

__global__ void guard_threads(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < n) atomicAdd(&counts[bytes[i]], 1);  // expect: past the end
  __syncthreads();
  if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  guard_threads<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}
