// score: 0
// says: nothing has written
// The tile has no halo: sums at its edges use words that nobody has written.
#include "convolution.h"

constexpr int kWidth = 32;
constexpr int kHeight = 8;

__constant__ float weights[(2 * kMaxRadius + 1) * (2 * kMaxRadius + 1)];

__global__ void sum_without_halo(const float* in, float* out, int height, int width, int radius) {
  __shared__ float tile[kHeight + 2 * kMaxRadius][kWidth + 2 * kMaxRadius];
  int left = blockIdx.x * kWidth - radius;
  int top = blockIdx.y * kHeight - radius;
  int row = min(top + radius + static_cast<int>(threadIdx.y), height - 1);
  int col = min(left + radius + static_cast<int>(threadIdx.x), width - 1);
  tile[threadIdx.y + radius][threadIdx.x + radius] = in[row * width + col];
  __syncthreads();
  int x = blockIdx.x * kWidth + threadIdx.x;
  int y = blockIdx.y * kHeight + threadIdx.y;
  if (x >= width || y >= height) return;
  int size = 2 * radius + 1;
  float sum = 0;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      sum += weights[j * size + i] * tile[threadIdx.y + j][threadIdx.x + i];
    }
  }
  out[y * width + x] = sum;
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  cudaMemcpyToSymbol(weights, mask, (2 * radius + 1) * (2 * radius + 1) * sizeof(float), 0,
                     cudaMemcpyDeviceToDevice);
  dim3 block(kWidth, kHeight);
  dim3 grid((width + kWidth - 1) / kWidth, (height + kHeight - 1) / kHeight);
  sum_without_halo<<<grid, block>>>(in, out, height, width, radius);
}
