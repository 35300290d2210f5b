// score: 100
// This is the lecture's kernel: one thread a pixel, blocks of 16 x 16 threads, and a guard.
#include "picture.h"

__global__ void picture_kernel(const float* in, float* out, int n, int m) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) out[row * n + col] = 2 * in[row * n + col];
}

void scale_picture(const float* in, float* out, int width, int height) {
  dim3 grid(ceil(width / 16.0), ceil(height / 16.0), 1);
  dim3 block(16, 16, 1);
  picture_kernel<<<grid, block>>>(in, out, width, height);
}
