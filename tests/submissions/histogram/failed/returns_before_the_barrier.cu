// score: 0
// says: barrier
// Threads without a byte return, and never clear or add their bin.
#include "histogram.h"

__global__ void return_early(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[bytes[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  return_early<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}
