// score: 80
// Each thread takes neighbouring elements, as one would on a CPU: a warp's 32 are far apart.
#include "NAME.h"

__global__ void pieces(const float* x, const float* y, float* out, float a, int n) {
  int piece = (n + 255) / 256;
  int begin = threadIdx.x * piece;
  for (int i = begin; i < min(begin + piece, n); ++i) {
    out[i] = a * x[i] + y[i];  // expect: sectors
  }
}

void NAME(const float* x, const float* y, float* out, float a, int n) {
  pieces<<<1, 256>>>(x, y, out, a, n);
}
