// score: 0
// says: never written
// The grid has n / 256 blocks, and none for the last elements.
#include "stencil.h"

__global__ void stencil_short(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = i - kRadius; j <= i + kRadius; ++j) {
    if (j >= 0 && j < n) sum += in[j];
  }
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_short<<<n < 256 ? 1 : n / 256, 256>>>(in, out, n);
}
