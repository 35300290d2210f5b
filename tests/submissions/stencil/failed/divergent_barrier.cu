// score: 0
// Threads beyond the end return before the barrier.
#include "stencil.h"

__global__ void stencil_leaving(const float* in, float* out, int n) {
  __shared__ float tile[256 + 2 * kRadius];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  int l = threadIdx.x + kRadius;
  tile[l] = in[i];
  if (threadIdx.x < kRadius) {
    tile[threadIdx.x] = i >= kRadius ? in[i - kRadius] : 0;
    tile[l + 256] = i + 256 < n ? in[i + 256] : 0;
  }
  __syncthreads();  // expect: barrier
  float sum = 0;
  for (int j = -kRadius; j <= kRadius; ++j) {
    if (i + j < n) sum += tile[l + j];
  }
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_leaving<<<(n + 255) / 256, 256>>>(in, out, n);
}
