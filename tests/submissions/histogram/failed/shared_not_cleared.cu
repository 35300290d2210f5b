// score: 0
// says: nothing has written
// Shared memory does not begin with zeros.
#include "histogram.h"

__global__ void count_on_top(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_on_top<<<128, 256>>>(bytes, bins, n);
}
