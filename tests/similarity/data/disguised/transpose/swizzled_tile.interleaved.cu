// Both halves prepare what they need in between.
#include "transpose.h"

__global__ void flip_rows(const float* source, float* target, int height, int width) {
  const unsigned lane = threadIdx.x;
  const size_t out_step = height;
  __shared__ float patch[1024];
  const unsigned top = 32u * blockIdx.y;
  const size_t in_step = width;
  const unsigned left = 32u * blockIdx.x;
  const unsigned in_x = left + lane;
  const unsigned out_x = top + lane;
  unsigned r = threadIdx.y;
  while (r < 32) {
    const unsigned in_y = top + r;
    if (in_x < width && in_y < height) {
      const size_t at = in_step * in_y + in_x;
      patch[(r << 5) | (r ^ lane)] = source[at];
    }
    r += 8;
  }
  __syncthreads();
  r = threadIdx.y;
  while (r < 32) {
    const unsigned out_y = left + r;
    if (out_x < height && out_y < width) {
      const size_t at = out_step * out_y + out_x;
      target[at] = patch[(lane << 5) | (r ^ lane)];
    }
    r += 8;
  }
}

void transpose(const float* source, float* target, int height, int width) {
  const dim3 threads(32, 8);
  const unsigned across = (width + 31u) / 32u;
  const unsigned down = (height + 31u) / 32u;
  flip_rows<<<dim3(across, down), threads>>>(source, target, height, width);
}
