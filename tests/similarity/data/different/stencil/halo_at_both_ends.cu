// This is the 1D stencil of the book: the first and the last threads also load the halo.
#include "stencil.h"

const int BLOCK_SIZE = 256;

__global__ void stencil_1d(const float* in, float* out, int n) {
  __shared__ float s[BLOCK_SIZE + 2 * kRadius];
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  const int j = threadIdx.x + kRadius;
  float mine = 0.0f;
  if (i < n) mine = in[i];
  s[j] = mine;
  if (threadIdx.x < kRadius) {
    int left = i - kRadius;
    s[threadIdx.x] = left < 0 ? 0.0f : (left < n ? in[left] : 0.0f);
  } else if (threadIdx.x >= BLOCK_SIZE - kRadius) {
    int right = i + kRadius;
    s[j + kRadius] = right < n ? in[right] : 0.0f;
  }
  __syncthreads();
  if (i >= n) return;
  float acc = 0.0f;
#pragma unroll
  for (int d = -kRadius; d <= kRadius; ++d) {
    acc += s[j + d];
  }
  out[i] = acc;
}

void stencil(const float* in, float* out, int n) {
  int blocks = n / BLOCK_SIZE;
  if (blocks * BLOCK_SIZE < n) ++blocks;
  stencil_1d<<<blocks, BLOCK_SIZE>>>(in, out, n);
}
