// score: 80
// The last block's threads beyond the end write there.
#include "NAME.h"

__global__ void unguarded(const float* x, const float* y, float* out, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a * x[i] + y[i];
}

void NAME(const float* x, const float* y, float* out, float a, int n) {
  unguarded<<<(n + 255) / 256, 256>>>(x, y, out, a, n);
}
