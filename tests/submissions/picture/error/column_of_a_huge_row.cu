// score: 0
// The kernel assumes rows of a million pixels, so that most indices lie far from all memory.
#include "picture.h"

__global__ void picture_column_of_a_huge_row(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float pixel = in[(y + 10) * 1000000 + x];  // expect: elements past the end of in
  out[y * width + x] = 2 * pixel;
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  picture_column_of_a_huge_row<<<grid, block>>>(in, out, width, height);
}
