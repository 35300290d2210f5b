// score: 60
// Each thread slides over 64 elements and loads each of them once. But at every step the 32 threads
// of a warp are 64 elements apart.
#include "stencil.h"

__global__ void stencil_sliding(const float* in, float* out, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  float window[7] = {};
  for (int j = first - 3; j < first + 64 + 3 && j < n + 3; ++j) {
    for (int k = 0; k < 6; ++k) window[k] = window[k + 1];
    window[6] = j >= 0 && j < n ? in[j] : 0;
    const int i = j - 3;
    if (i >= first && i < n) {
      float sum = 0;
      for (int k = 0; k < 7; ++k) sum += window[k];
      out[i] = sum;
    }
  }
}

void stencil(const float* in, float* out, int n) {
  stencil_sliding<<<(n + 64 * 64 - 1) / (64 * 64), 64>>>(in, out, n);
}
