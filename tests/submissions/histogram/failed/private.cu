// score: 75
// says: at least four bytes
// says: bank conflict
// The usual solution of courses: counts of a block in shared memory. It loads a byte for each lane,
// and lanes meet in banks.
#include "histogram.h"

__global__ void count_in_block(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1);  // expect: bank conflict
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_in_block<<<128, 256>>>(bytes, bins, n);
}
