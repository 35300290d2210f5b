// score: 0
// says: wrong
// The kernel treats pixels as integers.
#include "picture.h"

__global__ void scale_whole(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int pixel = in[y * width + x];
  out[y * width + x] = 2 * pixel;
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale_whole<<<grid, dim3(16, 16)>>>(in, out, width, height);
}
