// score: 0
// says: wrong
// The loop has < for <= and adds six terms.
#include "stencil.h"

__global__ void stencil_six(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = i - kRadius; j < i + kRadius; ++j) {
    if (j >= 0 && j < n) sum += in[j];
  }
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) { stencil_six<<<(n + 255) / 256, 256>>>(in, out, n); }
