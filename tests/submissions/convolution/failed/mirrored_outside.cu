// score: 0
// says: expected
// Pixels outside the image are those at the same distance inside.
#include "convolution.h"

__constant__ float weights[(2 * kMaxRadius + 1) * (2 * kMaxRadius + 1)];

__global__ void sum_with_mirror(const float* in, float* out, int height, int width, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int size = 2 * radius + 1;
  float sum = 0;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      int row = abs(y + j - radius);
      int col = abs(x + i - radius);
      row = row < height ? row : max(0, 2 * height - 2 - row);
      col = col < width ? col : max(0, 2 * width - 2 - col);
      sum += weights[j * size + i] * in[row * width + col];
    }
  }
  out[y * width + x] = sum;
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  cudaMemcpyToSymbol(weights, mask, (2 * radius + 1) * (2 * radius + 1) * sizeof(float), 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  sum_with_mirror<<<grid, block>>>(in, out, height, width, radius);
}
