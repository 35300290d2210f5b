// score: 0
// says: expected
// Each thread has counts of its own, of 8 bits. They overflow where it counts 256 equal bytes.
#include "histogram.h"

constexpr int kThreads = 64;

__global__ void count_alone(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned char own[kBins][kThreads];
  const int t = threadIdx.x;
  for (int bin = 0; bin < kBins; ++bin) own[bin][t] = 0;
  for (int i = blockIdx.x * kThreads + t; i < n; i += gridDim.x * kThreads) ++own[bytes[i]][t];
  __syncthreads();
  for (int bin = t; bin < kBins; bin += kThreads) {
    unsigned sum = 0;
    for (int i = 0; i < kThreads; ++i) sum += own[bin][i];
    atomicAdd(&bins[bin], sum);
  }
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_alone<<<64, kThreads>>>(bytes, bins, n);
}
