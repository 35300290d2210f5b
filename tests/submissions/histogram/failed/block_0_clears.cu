// score: 0
// says: block
// Block 0 clears the result while other blocks may already have added to it.
#include "histogram.h"

__global__ void clear_in_kernel(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  if (blockIdx.x == 0) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  clear_in_kernel<<<128, 256>>>(bytes, bins, n);
}
