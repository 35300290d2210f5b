// score: 0
// says: wrong
// Each sum is the one before it plus one element minus one, which is fast on a CPU, but adds up the
// errors of rounding. Elements of full precision show it.
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
