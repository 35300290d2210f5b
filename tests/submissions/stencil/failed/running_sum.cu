// score: 0
// says: wrong
// Each sum from the one before it, plus one element, minus one: fast on a CPU, and the error of
// rounding is carried along. With elements of full precision it shows.
#include "stencil.h"

__global__ void stencil_running(const float* in, float* out, int n) {
  float sum = 0;
  for (int j = 0; j < kRadius && j < n; ++j) sum += in[j];
  for (int i = 0; i < n; ++i) {
    if (i + kRadius < n) sum += in[i + kRadius];
    if (i > kRadius) sum -= in[i - kRadius - 1];
    out[i] = sum;
  }
}

void stencil(const float* in, float* out, int n) { stencil_running<<<1, 1>>>(in, out, n); }
