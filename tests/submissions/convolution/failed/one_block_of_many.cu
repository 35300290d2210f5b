// score: 65
// says: let many blocks share the work
// The grid has a block for each tile, but the first block goes through all tiles.
#include "convolution.h"

constexpr int kTile = 32;
constexpr int kHalo = kTile + 2 * kMaxRadius;

__constant__ float weights[(2 * kMaxRadius + 1) * (2 * kMaxRadius + 1)];

__global__ void convolve(const float* in, float* out, int height, int width, int radius) {
  __shared__ float tile[kHalo][kHalo];
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  const int size = 2 * radius + 1;
  for (int top = 0; top < height; top += kTile) {
    for (int left = 0; left < width; left += kTile) {
      for (int y = threadIdx.y; y < kTile + 2 * radius; y += kTile) {
        const int row = min(max(top + y - radius, 0), height - 1);
        for (int x = threadIdx.x; x < kTile + 2 * radius; x += kTile) {
          tile[y][x] = in[row * width + min(max(left + x - radius, 0), width - 1)];
        }
      }
      __syncthreads();
      float sum = 0;
      for (int j = 0; j < size; ++j) {
        for (int i = 0; i < size; ++i) {
          sum += weights[j * size + i] * tile[threadIdx.y + j][threadIdx.x + i];
        }
      }
      const int row = top + threadIdx.y, col = left + threadIdx.x;
      if (row < height && col < width) out[row * width + col] = sum;
      __syncthreads();
    }
  }
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, mask, size * size * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  convolve<<<grid, dim3(kTile, kTile)>>>(in, out, height, width, radius);
}
