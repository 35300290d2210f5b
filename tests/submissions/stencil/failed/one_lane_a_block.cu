// score: 60
// A block has a single thread, which keeps its window in registers: each element is loaded once,
// but each load moves a sector.
#include "stencil.h"

const int N = 64;

__global__ void stencil_alone(const float* in, float* out, int n) {
  float window[2 * kRadius + 1];
  int first = blockIdx.x * N;
  for (int j = 0; j < 2 * kRadius; ++j) {
    int at = first + j - kRadius;
    window[j] = at >= 0 && at < n ? in[at] : 0;
  }
  for (int i = first; i < first + N && i < n; ++i) {
    window[2 * kRadius] = i + kRadius < n ? in[i + kRadius] : 0;  // expect: 1 of 32 lanes active
    float sum = 0;
    for (int j = 0; j <= 2 * kRadius; ++j) sum += window[j];
    out[i] = sum;  // expect: 1 of 32 lanes active
    for (int j = 0; j < 2 * kRadius; ++j) window[j] = window[j + 1];
  }
}

void stencil(const float* in, float* out, int n) { stencil_alone<<<(n + N - 1) / N, 1>>>(in, out, n); }
