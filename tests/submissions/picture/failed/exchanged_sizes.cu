// score: 0
// The call gives the kernel the height where it expects the width.
#include "picture.h"

__global__ void scale_tall(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale_tall<<<grid, dim3(16, 16)>>>(in, out, height, width);  // mistake
}
