// score: 0
// says: never written
// ceil(76 / 16) is ceil(4), since the division of two integers rounds down first.
#include "picture.h"

__global__ void scale_short(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid(ceil(width / 16), ceil(height / 16));
  scale_short<<<grid, dim3(16, 16)>>>(in, out, width, height);
}
