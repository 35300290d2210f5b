// score: 85
// says: copy the mask
// Each block copies the mask to shared memory: a load for each block, and a second wavefront for
// each term, which has no bank conflict.
#include "convolution.h"

constexpr int kWidth = 32;
constexpr int kHeight = 8;

__global__ void sum_with_shared_mask(const float* in, const float* mask, float* out, int height,
                                     int width, int radius) {
  __shared__ float tile[kHeight + 2 * kMaxRadius][kWidth + 2 * kMaxRadius];
  int left = blockIdx.x * kWidth - radius;
  int top = blockIdx.y * kHeight - radius;
  __shared__ float weights[2 * kMaxRadius + 1][2 * kMaxRadius + 1];
  if (threadIdx.y == 0) {
    for (int i = threadIdx.x; i < (2 * radius + 1) * (2 * radius + 1); i += kWidth) {
      weights[i / (2 * radius + 1)][i % (2 * radius + 1)] = mask[i];
    }
  }
  for (int y = threadIdx.y; y < kHeight + 2 * radius; y += kHeight) {
    for (int x = threadIdx.x; x < kWidth + 2 * radius; x += kWidth) {
      int row = min(max(top + y, 0), height - 1);
      int col = min(max(left + x, 0), width - 1);
      tile[y][x] = in[row * width + col];
    }
  }
  __syncthreads();
  int x = blockIdx.x * kWidth + threadIdx.x;
  int y = blockIdx.y * kHeight + threadIdx.y;
  if (x >= width || y >= height) return;
  int size = 2 * radius + 1;
  float sum = 0;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      sum += weights[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
    }
  }
  out[y * width + x] = sum;
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  dim3 block(kWidth, kHeight);
  dim3 grid((width + kWidth - 1) / kWidth, (height + kHeight - 1) / kHeight);
  sum_with_shared_mask<<<grid, block>>>(in, mask, out, height, width, radius);
}
