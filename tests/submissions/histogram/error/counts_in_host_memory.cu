// score: 0
// says: host
// The kernel adds to an array of the host.
#include "histogram.h"

__global__ void add_on_the_host(const unsigned char* bytes, unsigned* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[bytes[i]], 1);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  unsigned counts[kBins] = {};
  add_on_the_host<<<(n + 255) / 256, 256>>>(bytes, counts, n);
  cudaMemcpy(bins, counts, sizeof counts, cudaMemcpyHostToDevice);
}
