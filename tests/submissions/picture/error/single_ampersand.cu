// score: 0
// The condition has one & and lacks its outer parentheses: if (a) & (b) does not compile.
#include "picture.h"

__global__ void scale(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height) & (x < width)
    out[y * width + x] = 2 * in[y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  scale<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in, out, width, height);
}
