// score: 0
// says: wrong
// The elements behind the block are never loaded into the tile.
#include "stencil.h"

__global__ void stencil_left(const float* in, float* out, int n) {
  __shared__ float tile[256 + 2 * kRadius];
  int i = blockIdx.x * 256 + threadIdx.x;
  int l = threadIdx.x + kRadius;
  if (threadIdx.x < 2 * kRadius) tile[threadIdx.x + 256] = 0;
  __syncthreads();
  tile[l] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) tile[threadIdx.x] = i >= kRadius ? in[i - kRadius] : 0;
  __syncthreads();
  float sum = 0;
  for (int j = -kRadius; j <= kRadius; ++j) sum += tile[l + j];
  if (i < n) out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_left<<<(n + 255) / 256, 256>>>(in, out, n);
}
