// score: 85
// says: bank conflict
// The warps of a block have copies of the bins. So warps do not meet, but the lanes of a warp do,
// and it is these that a bank conflict is about.
#include "histogram.h"

constexpr int kWarps = 8;

__global__ void count_in_warps(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kWarps][kBins];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < kWarps * kBins; i += blockDim.x) counts[0][i] = 0;
  __syncthreads();
  const uchar4* quads = reinterpret_cast<const uchar4*>(bytes);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n / 4; i += gridDim.x * blockDim.x) {
    uchar4 quad = quads[i];
    atomicAdd(&counts[warp][quad.x], 1);
    atomicAdd(&counts[warp][quad.y], 1);
    atomicAdd(&counts[warp][quad.z], 1);
    atomicAdd(&counts[warp][quad.w], 1);
  }
  if (first < n % 4) atomicAdd(&counts[warp][bytes[n / 4 * 4 + first]], 1);
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < kWarps; ++i) sum += counts[i][threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_in_warps<<<128, kWarps * 32>>>(bytes, bins, n);
}
