// score: 85
// says: wavefronts
// Each block counts 4 KiB. Clearing 32 KiB of copies, and adding them up, costs more than counting.
#include "histogram.h"

__global__ void count_little(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins * 32];
  const int t = threadIdx.x;
  for (int i = t; i < kBins * 32; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  unsigned* own = counts + t % 32;
  const uint4* vectors = reinterpret_cast<const uint4*>(bytes);
  for (int i = blockIdx.x * blockDim.x + t; i < n / 16; i += gridDim.x * blockDim.x) {
    const uint4 vector = vectors[i];
    for (unsigned word : {vector.x, vector.y, vector.z, vector.w}) {
      for (int j = 0; j < 4; ++j, word >>= 8) atomicAdd(&own[word % 256 * 32], 1);
    }
  }
  if (blockIdx.x == 0 && t < n % 16) atomicAdd(&own[bytes[n - n % 16 + t] * 32], 1);
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 32; ++i) sum += counts[t * 32 + (t + i) % 32];
  atomicAdd(&bins[t], sum);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_little<<<(n + 4095) / 4096, 256>>>(bytes, bins, n);
}
