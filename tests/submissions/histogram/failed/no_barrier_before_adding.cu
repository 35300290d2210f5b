// score: 0
// says: __syncthreads()
// A thread may add its bin to the result before other warps have finished counting.
#include "histogram.h"

__global__ void add_at_once(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1);
  }
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);  // expect: no __syncthreads() between
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  add_at_once<<<128, 256>>>(bytes, bins, n);
}
