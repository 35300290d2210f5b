// score: 80
// says: tried: with a guard after line 9
// The kernel has no guard. Beyond the right edge lie the first pixels of the next row, which come
// out right; below the last row there is no memory.
#include "picture.h"

__global__ void scale_unguarded(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;  // mistake
  float pixel = in[y * width + x];  // expect: past the end
  out[y * width + x] = 2 * pixel;   // expect: past the end
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale_unguarded<<<grid, dim3(16, 16)>>>(in, out, width, height);
}
