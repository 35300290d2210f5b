// score: 0
// says: wrong
// The kernel reads and adds neighbours that do not exist.
#include "stencil.h"

__global__ void stencil_unguarded(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = i - kRadius; j <= i + kRadius; ++j) sum += in[j];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_unguarded<<<(n + 255) / 256, 256>>>(in, out, n);
}
