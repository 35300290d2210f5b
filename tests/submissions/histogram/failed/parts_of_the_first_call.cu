// score: 0
// says: past the end
// The buffer of the partial counts is allocated in the first call and never enlarged.
#include "histogram.h"

__global__ void count_part(const unsigned char* bytes, unsigned* parts, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 4096 + threadIdx.x; i < n && i < (blockIdx.x + 1) * 4096; i += 256) {
    atomicAdd(&counts[bytes[i]], 1);
  }
  __syncthreads();
  parts[blockIdx.x * kBins + threadIdx.x] = counts[threadIdx.x];
}

__global__ void add_parts(const unsigned* parts, unsigned* bins, int blocks) {
  unsigned sum = 0;
  for (int i = 0; i < blocks; ++i) sum += parts[i * kBins + threadIdx.x];
  bins[threadIdx.x] = sum;
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  static unsigned* parts = nullptr;
  int blocks = (n + 4095) / 4096;
  if (parts == nullptr) cudaMalloc(&parts, blocks * kBins * sizeof(unsigned));
  count_part<<<blocks, 256>>>(bytes, parts, n);
  add_parts<<<1, 256>>>(parts, bins, blocks);
}
