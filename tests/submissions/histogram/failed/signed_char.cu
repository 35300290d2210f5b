// score: 0
// says: before the start
// The bytes are read as char, which is signed here: values above 127 become negative indices.
#include "histogram.h"

__global__ void count_signed(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[reinterpret_cast<const char*>(bytes)[i]], 1);  // expect: before
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_signed<<<128, 256>>>(bytes, bins, n);
}
