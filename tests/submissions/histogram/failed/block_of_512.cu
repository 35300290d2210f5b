// score: 65
// says: past the end
// A thread clears the bin of its number, also where there is none.
#include "histogram.h"

__global__ void count_with_512(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;  // expect: past the end
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1);
  }
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_with_512<<<128, 512>>>(bytes, bins, n);
}
