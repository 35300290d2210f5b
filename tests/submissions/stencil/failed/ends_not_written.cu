// score: 0
// says: never written
// Only elements that have all their neighbours get a sum.
#include "stencil.h"

__global__ void stencil_inner(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kRadius || i >= n - kRadius) return;
  float sum = 0;
  for (int j = i - kRadius; j <= i + kRadius; ++j) sum += in[j];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_inner<<<(n + 255) / 256, 256>>>(in, out, n);
}
