// score: 90
// says: past the end
// Each thread loads the next vector before it asks whether there is one. It is not counted.
#include "histogram.h"

__global__ void load_ahead(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins * 32];
  const int t = threadIdx.x;
  for (int i = t; i < kBins * 32; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  unsigned* own = counts + t % 32;
  const uint4* vectors = reinterpret_cast<const uint4*>(bytes);
  const int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + t;
  uint4 next = vectors[i];
  for (; i < n / 16; i += stride) {
    const uint4 vector = next;
    next = vectors[i + stride];  // expect: past the end
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
  load_ahead<<<16, 256>>>(bytes, bins, n);
}
