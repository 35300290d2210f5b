// score: 90
// says: at least four bytes
// There are no conflicts, but each lane loads a byte at a time: four times as many loads.
#include "histogram.h"

__global__ void load_bytes(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins * 32];
  const int t = threadIdx.x;
  for (int i = t; i < kBins * 32; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  unsigned* own = counts + t % 32;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[bytes[i] * 32], 1);  // expect: four bytes
  }
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 32; ++i) sum += counts[t * 32 + (t + i) % 32];
  atomicAdd(&bins[t], sum);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  load_bytes<<<n / 16384 + 1, 256>>>(bytes, bins, n);
}
