// score: 75
// says: word i of shared memory lies in bank
// Nobody waits in the loop: each lane loads a byte, and lanes meet at the counts of a block.
#include "histogram.h"
__global__ void Count(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[256];
  int t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
    unsigned v = bytes[i];
    atomicAdd(&counts[v], 1);
  }
  __syncthreads();
  atomicAdd(&bins[t], counts[t]);
}
void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  Count<<<64, 256>>>(bytes, bins, n);
}
