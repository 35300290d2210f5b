// score: 100
// A thread computes eight pixels of a row one below the other, and reads each pixel of the tile
// once for all sums that contain it.
#include "convolution.h"

constexpr int kSums = 8;
constexpr int kWarps = 4;

__constant__ float weights[2 * kMaxRadius + 1][2 * kMaxRadius + 1];

__global__ void eight_sums(const float* in, float* out, int height, int width, int radius) {
  __shared__ float tile[kWarps * kSums + 2 * kMaxRadius][32 + 2 * kMaxRadius];
  const int left = blockIdx.x * 32;
  const int top = blockIdx.y * kWarps * kSums;
  for (int y = threadIdx.y; y < kWarps * kSums + 2 * radius; y += kWarps) {
    const int row = max(0, min(top + y - radius, height - 1));
    for (int x = threadIdx.x; x < 32 + 2 * radius; x += 32) {
      tile[y][x] = in[row * width + max(0, min(left + x - radius, width - 1))];
    }
  }
  __syncthreads();

  float sums[kSums] = {};
  const int first = threadIdx.y * kSums;
  for (int i = 0; i <= 2 * radius; ++i) {
    for (int y = 0; y < kSums + 2 * radius; ++y) {
      const float pixel = tile[first + y][threadIdx.x + i];
#pragma unroll
      for (int s = 0; s < kSums; ++s) {
        const int j = y - s;
        if (j >= 0 && j <= 2 * radius) sums[s] += weights[j][i] * pixel;
      }
    }
  }
  const int x = left + threadIdx.x;
#pragma unroll
  for (int s = 0; s < kSums; ++s) {
    const int y = top + first + s;
    if (x < width && y < height) out[y * width + x] = sums[s];
  }
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int row = (2 * radius + 1) * sizeof(float);
  void* target;
  cudaGetSymbolAddress(&target, weights);
  cudaMemcpy2D(target, sizeof weights[0], mask, row, row, 2 * radius + 1, cudaMemcpyDeviceToDevice);
  dim3 grid((width + 31) / 32, (height + kWarps * kSums - 1) / (kWarps * kSums));
  eight_sums<<<grid, dim3(32, kWarps)>>>(in, out, height, width, radius);
}
