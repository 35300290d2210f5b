// score: 0
// says: past the end
// There is no room for the bytes of value 255.
#include "histogram.h"

__global__ void count_255(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[255];
  for (int v = threadIdx.x; v < 255; v += blockDim.x) counts[v] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[bytes[i]], 1);  // expect: past the end
  }
  __syncthreads();
  for (int v = threadIdx.x; v < 255; v += blockDim.x) atomicAdd(&bins[v], counts[v]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_255<<<128, 256>>>(bytes, bins, n);
}
