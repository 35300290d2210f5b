// score: 0
// says: the host has written only the first
// says: cudaMemcpyToSymbol (line 
// cudaMemcpyToSymbol counts bytes: a quarter of the mask is copied.
#include "convolution.h"

__constant__ float weights[(2 * kMaxRadius + 1) * (2 * kMaxRadius + 1)];

__global__ void sum_with_a_quarter(const float* in, float* out, int height, int width, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int size = 2 * radius + 1;
  float sum = 0;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      int row = min(max(y + j - radius, 0), height - 1);
      int col = min(max(x + i - radius, 0), width - 1);
      sum += weights[j * size + i] * in[row * width + col];  // expect: expected
    }
  }
  out[y * width + x] = sum;
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  cudaMemcpyToSymbol(weights, mask, (2 * radius + 1) * (2 * radius + 1), 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  sum_with_a_quarter<<<grid, block>>>(in, out, height, width, radius);
}
