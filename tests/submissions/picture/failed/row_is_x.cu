// score: 0
// says: so the row is
// says: look whether this number is compared there
// The place in the row is multiplied by the width, and the row is added.
#include "picture.h"

__global__ void scale(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    out[x * width + y] = 2 * in[x * width + y];  // expect: past the end
  }
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale<<<grid, block>>>(in, out, width, height);
}
