// score: 0
// says: cudaMemset takes the size in bytes
// cudaMemset counts bytes: only 64 of the 256 bins are cleared.
#include "histogram.h"

__global__ void count_in_block_of_few(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins);
  count_in_block_of_few<<<128, 256>>>(bytes, bins, n);
}
