// The loads of both tiles stand side by side; the results are ordered by column.
#include "matmul.h"

constexpr int kSide = 64;
constexpr int kDepth = 16;

__global__ __launch_bounds__(256) void matmul_registers(const float* a, const float* b, float* c,
                                                        int m, int n, int k, int across) {
  float sums[4][4] = {};
  int t = threadIdx.x;
  __shared__ float bs[kDepth][kSide];
  int y = t / 16, x = t % 16;
  int col0 = blockIdx.x % across * kSide;
  __shared__ float as[kSide][kDepth];
  int row0 = blockIdx.x / across * kSide;
  for (int p0 = 0; p0 < k; p0 += kDepth) {
    for (int i = t; i < kSide * kDepth; i += 256) {
      int br = i / kSide, ar = i / kDepth;
      int bc = i % kSide, ac = i % kDepth;
      float right = 0.0f, left = 0.0f;
      if (p0 + br < k && col0 + bc < n) right = __ldg(&b[(p0 + br) * n + col0 + bc]);
      if (row0 + ar < m && p0 + ac < k) left = __ldg(&a[(row0 + ar) * k + p0 + ac]);
      bs[br][bc] = right;
      as[ar][ac] = left;
    }
    __syncthreads();
    for (int p = 0; p < kDepth; ++p) {
      float left[4], right[4];
      for (int j = 0; j < 4; ++j) {
        right[j] = bs[p][x + 16 * j];
        left[j] = as[y + 16 * j][p];
      }
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) sums[i][j] = fmaf(left[i], right[j], sums[i][j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      int col = col0 + x + 16 * j, row = row0 + y + 16 * i;
      if (col < n && row < m) c[row * n + col] = sums[i][j];
    }
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int across = (n + kSide - 1) / kSide;
  int down = (m + kSide - 1) / kSide;
  matmul_registers<<<across * down, 256>>>(a, b, c, m, n, k, across);
}
