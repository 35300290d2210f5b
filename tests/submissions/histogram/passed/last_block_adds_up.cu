// score: 100
// The last block to finish adds up the counts of all. The number of finished blocks goes back to 0
// by itself.
#include "histogram.h"

constexpr int kBlocks = 64;

__device__ unsigned parts[kBlocks][kBins];
__device__ unsigned finished;

__global__ void count_and_add(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[32 * kBins];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  for (int i = t; i < 32 * kBins; i += blockDim.x) counts[i] = 0;
  __syncthreads();

  unsigned* own = counts + t % 32;
  for (int i = blockIdx.x * blockDim.x + t; i < (n + 7) / 8; i += kBlocks * blockDim.x) {
    if (8 * i + 8 <= n) {
      const uint2 eight = reinterpret_cast<const uint2*>(bytes)[i];
      for (int shift = 0; shift < 32; shift += 8) {
        atomicAdd(&own[(eight.x >> shift & 255) * 32], 1);
        atomicAdd(&own[(eight.y >> shift & 255) * 32], 1);
      }
    } else {
      for (int j = 8 * i; j < n; ++j) atomicAdd(&own[bytes[j] * 32], 1);
    }
  }
  __syncthreads();

  unsigned sum = 0;
  for (int i = 0; i < 32; ++i) sum += counts[t * 32 + (t ^ i) % 32];
  parts[blockIdx.x][t] = sum;
  __threadfence();
  __syncthreads();
  if (t == 0) is_last = atomicInc(&finished, kBlocks - 1) == kBlocks - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  sum = 0;
  for (int block = 0; block < kBlocks; ++block) sum += parts[block][t];
  bins[t] = sum;
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  count_and_add<<<kBlocks, kBins>>>(bytes, bins, n);
}
