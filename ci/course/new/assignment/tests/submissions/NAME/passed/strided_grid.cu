// score: 100
// A grid of a fixed size, whose threads take every so many-th element.
#include "NAME.h"

__global__ void strided(const float* x, const float* y, float* out, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = a * x[i] + y[i];
  }
}

void NAME(const float* x, const float* y, float* out, float a, int n) {
  strided<<<64, 256>>>(x, y, out, a, n);
}
