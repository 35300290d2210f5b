// score: 0
// says: never
// On a short text the step is 0 threads, and the loop never ends.
#include "histogram.h"

__global__ void count_for_ever(const unsigned char* bytes, unsigned* bins, int n, int step) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    atomicAdd(&bins[bytes[i]], 1);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_for_ever<<<(n + 255) / 256, 256>>>(bytes, bins, n, n / 256 * 256);
}
