// score: 0
// says: never written
// The guard compares the column with the height and the row with the width.
#include "picture.h"

__global__ void scale_exchanged(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width) out[y * width + x] = 2 * in[y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale_exchanged<<<grid, dim3(16, 16)>>>(in, out, width, height);
}
