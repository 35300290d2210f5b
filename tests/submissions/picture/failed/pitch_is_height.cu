// score: 0
// says: never written
// The kernel assumes a distance of `height` pixels between rows.
#include "picture.h"

__global__ void scale_wrong_pitch(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * height + x] = 2 * in[y * height + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale_wrong_pitch<<<grid, dim3(16, 16)>>>(in, out, width, height);
}
