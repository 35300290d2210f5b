// score: 50
// says: needed to load tiles
// says: copy the mask
// One load for each pixel of each sum, and one for each weight.
#include "convolution.h"

__global__ void sum_from_global(const float* in, const float* mask, float* out, int height,
                                int width, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int size = 2 * radius + 1;
  float sum = 0;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      int row = min(max(y + j - radius, 0), height - 1);
      int col = min(max(x + i - radius, 0), width - 1);
      sum += mask[j * size + i] * in[row * width + col];
    }
  }
  out[y * width + x] = sum;
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  sum_from_global<<<grid, block>>>(in, mask, out, height, width, radius);
}
