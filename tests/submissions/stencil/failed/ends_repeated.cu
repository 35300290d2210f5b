// score: 0
// says: wrong
// Beyond the ends the last element is repeated, where the task says 0.
#include "stencil.h"

__global__ void stencil_clamped(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = i - kRadius; j <= i + kRadius; ++j) sum += in[min(max(j, 0), n - 1)];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_clamped<<<(n + 255) / 256, 256>>>(in, out, n);
}
