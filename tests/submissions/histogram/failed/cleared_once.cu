// score: 0
// says: 2nd call
// The result is cleared in the first call of a process only.
#include "histogram.h"

__global__ void clear_once(const unsigned char* bytes, unsigned* bins, int n) {
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
  static bool cleared = false;
  if (!cleared) cudaMemset(bins, 0, kBins * sizeof(unsigned));
  cleared = true;
  clear_once<<<128, 256>>>(bytes, bins, n);
}
