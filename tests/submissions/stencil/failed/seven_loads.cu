// score: 60
// The result is right, but every thread loads all of its seven elements from global memory.
#include "stencil.h"

__global__ void stencil_naive(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = i - kRadius; j <= i + kRadius; ++j) {
    if (j >= 0 && j < n) sum += in[j];  // expect: global load
  }
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) { stencil_naive<<<(n + 255) / 256, 256>>>(in, out, n); }
