// score: 0
// says: atomicAdd
// There is no atomicAdd for counts of one byte.
#include "histogram.h"

__global__ void add_to_bytes(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned char counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bytes[i]], 1);  // expect: atomicAdd
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  add_to_bytes<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}
