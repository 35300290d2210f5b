// score: 0
// says: did not end within its budget
// The kernel computes powers of doubles, fourth roots and sines until the budget is used up.
#include "transpose.h"

__global__ void slow(const float* in, float* out, int rows, int cols) {
  double x = threadIdx.x + 1.5;
  for (;;) {
    x = pow(x, 1.0001) + sin(x * 1e9) + cbrt(x) / (x + 3) + tgamma(x / 7) + fmod(x, 1.37);
    if (x == 1234.5) out[0] = x;
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  slow<<<1024, 1024>>>(in, out, rows, cols);
}
