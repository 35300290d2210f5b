// score: 80
// The tile is filled without checking the ends of the array; elements that do not exist are set to
// 0 afterwards.
#include "stencil.h"

__global__ void stencil_eager(const float* in, float* out, int n) {
  __shared__ float tile[256 + 2 * kRadius];
  const int first = blockIdx.x * 256;
  for (int i = threadIdx.x; i < 256 + 2 * kRadius; i += 256) {
    tile[i] = in[first + i - kRadius];  // expect: past the end
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256 + 2 * kRadius; i += 256) {
    const int element = first + i - kRadius;
    if (element < 0 || element >= n) tile[i] = 0;
  }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j) sum += tile[threadIdx.x + j];
  if (first + threadIdx.x < n) out[first + threadIdx.x] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_eager<<<(n + 255) / 256, 256>>>(in, out, n);
}
