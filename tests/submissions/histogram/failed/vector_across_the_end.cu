// score: 90
// says: across the end
// The last load of 16 bytes is partly outside. The bytes inside are loaded, and no other is used.
#include "histogram.h"

__global__ void count_last_vector(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins * 32];
  const int t = threadIdx.x;
  for (int i = t; i < kBins * 32; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  unsigned* own = counts + t % 32;
  const uint4* vectors = reinterpret_cast<const uint4*>(bytes);
  for (int i = blockIdx.x * blockDim.x + t; i < (n + 15) / 16; i += gridDim.x * blockDim.x) {
    const uint4 vector = vectors[i];  // expect: across the end
    const unsigned words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      if (i * 16 + j < n) atomicAdd(&own[(words[j / 4] >> j % 4 * 8 & 255) * 32], 1);
    }
  }
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 32; ++i) sum += counts[t * 32 + (t + i) % 32];
  atomicAdd(&bins[t], sum);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_last_vector<<<n / 16384 + 1, 256>>>(bytes, bins, n);
}
