// score: 0
// says: wrong
// The kernel doubles a float by adding one to its exponent, which is right for normal numbers only.
#include "picture.h"

__global__ void picture_exponent(const float* in, float* out, int n, int m) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  out[row * n + col] = __int_as_float(__float_as_int(in[row * n + col]) + (1 << 23));
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid(ceil(width / 16.0), ceil(height / 16.0), 1);
  dim3 block(16, 16, 1);
  picture_exponent<<<grid, block>>>(in, out, width, height);
}
