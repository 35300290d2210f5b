// score: 0
// says: no __syncthreads() between
#include "stencil.h"

// Blocks of 64 threads, and nobody waits for the tile.
__global__ void sums(const float* in, float* out, int n) {
  __shared__ float tile[64 + 2 * kRadius];
  const int first = blockIdx.x * 64 - kRadius;
  for (int i = threadIdx.x; i < 64 + 2 * kRadius; i += 64) {
    tile[i] = first + i >= 0 && first + i < n ? in[first + i] : 0;
  }
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    const float* at = tile + threadIdx.x;
    out[i] = at[0] + at[1] + at[2] + at[3] + at[4] + at[5] + at[6];
  }
}

void stencil(const float* in, float* out, int n) { sums<<<(n + 63) / 64, 64>>>(in, out, n); }
