// score: 0
// says: expected
// The grid is rounded down, so the last bytes have no thread. A text of less than 256 has no block.
#include "histogram.h"

__global__ void count_one_each(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bytes[i]], 1);
  __syncthreads();
  if (counts[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  if (n < 256) {
    count_one_each<<<1, 256>>>(bytes, bins, n);
  } else {
    count_one_each<<<n / 256, 256>>>(bytes, bins, n);
  }
}
