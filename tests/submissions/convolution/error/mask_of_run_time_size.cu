// score: 0
// says: constant
// A __constant__ array needs a size that the compiler knows.
#include "convolution.h"

extern int size_of_mask;
__constant__ float weights[size_of_mask];  // expect: constant

__global__ void sum_sized(const float* in, float* out, int height, int width, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int size = 2 * radius + 1;
  float sum = 0;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      int row = min(max(y + j - radius, 0), height - 1);
      int col = min(max(x + i - radius, 0), width - 1);
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
  sum_sized<<<grid, block>>>(in, out, height, width, radius);
}
