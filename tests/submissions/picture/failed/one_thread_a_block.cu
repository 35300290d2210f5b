// score: 0
// says: never written
// The grid is computed for blocks of 16 x 16 threads, but the launch gives blocks of 16 threads:
// the second dimension is missing.
#include "picture.h"

__global__ void scale_flat(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  scale_flat<<<dim3((width + 15) / 16, (height + 15) / 16), 16>>>(in, out, width, height);
}
