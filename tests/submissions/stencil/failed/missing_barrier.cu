// score: 0
// The sums begin before the other warps have loaded their part of the tile.
#include "stencil.h"

__global__ void stencil_hasty(const float* in, float* out, int n) {
  __shared__ float tile[256 + 2 * kRadius];
  int first = blockIdx.x * 256;
  for (int i = threadIdx.x; i < 256 + 2 * kRadius; i += 256) {
    int element = first + i - kRadius;
    tile[i] = element >= 0 && element < n ? in[element] : 0;
  }
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j) sum += tile[threadIdx.x + j];  // expect: no __syncthreads() between
  if (first + threadIdx.x < n) out[first + threadIdx.x] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_hasty<<<(n + 255) / 256, 256>>>(in, out, n);
}
