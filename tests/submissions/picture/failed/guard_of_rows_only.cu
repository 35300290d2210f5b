// score: 80
// The guard checks one of the two coordinates only, and the last row is exceeded.
#include "picture.h"

__global__ void scale_half_guarded(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < height) out[y * width + x] = 2 * in[y * width + x];  // expect: past the end
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  scale_half_guarded<<<grid, dim3(32, 8)>>>(in, out, width, height);
}
