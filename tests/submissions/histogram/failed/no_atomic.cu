// score: 0
// says: atomic
// Threads that count equal bytes overwrite each other's counts.
#include "histogram.h"

__global__ void count_without_atomics(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    ++counts[bytes[i]];  // expect: atomic
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_without_atomics<<<128, 256>>>(bytes, bins, n);
}
