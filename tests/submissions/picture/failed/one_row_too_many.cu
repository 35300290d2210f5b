// score: 80
// The guard has <= for <, though row number `height` does not exist.
#include "picture.h"

__global__ void scale_one_more(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y <= height) out[y * width + x] = 2 * in[y * width + x];  // expect: past the end
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale_one_more<<<grid, dim3(16, 16)>>>(in, out, width, height);
}
