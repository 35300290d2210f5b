// score: 55
// says: 8.0 times
// says: at least four bytes
// Every byte is added to the result itself: eight times as many atomics as are allowed.
#include "histogram.h"

__global__ void add_each_byte(const unsigned char* bytes, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[bytes[i]], 1);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  add_each_byte<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}
