// score: 0
// says: 4096
// A block of 64 x 64 threads is too large, so that no kernel runs.
#include "picture.h"

__global__ void scale_64(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  scale_64<<<dim3((width + 63) / 64, (height + 63) / 64), dim3(64, 64)>>>(in, out, width, height);
}
