// score: 100
// The tiles are 32 x 32, and the next two are copied asynchronously meanwhile. A thread computes
// four elements of a column.
#include <cuda_pipeline.h>

#include "matmul.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[2][kTile][kTile];
  __shared__ float b_tile[2][kTile][kTile];
  const int x = threadIdx.x;
  const int across = (n + kTile - 1) / kTile;
  const int top = blockIdx.x / across * kTile;
  const int left = blockIdx.x % across * kTile;

  // A copy of no bytes fills in zeros where the matrix has ended.
  const auto copy = [](float* to, const float* from, size_t at, bool exists) {
    __pipeline_memcpy_async(to, exists ? from + at : from, sizeof(float),
                            exists ? 0 : sizeof(float));
  };
  const auto fetch = [&](int step) {
    for (int y = threadIdx.y; y < kTile; y += kRows) {
      const int a_col = step * kTile + x;
      const int b_row = step * kTile + y;
      copy(&a_tile[step % 2][y][x], a, static_cast<size_t>(top + y) * k + a_col,
           top + y < m && a_col < k);
      copy(&b_tile[step % 2][y][x], b, static_cast<size_t>(b_row) * n + left + x,
           b_row < k && left + x < n);
    }
    __pipeline_commit();
  };

  float sum[kTile / kRows] = {};
  const int steps = (k + kTile - 1) / kTile;
  fetch(0);
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      fetch(step + 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      const float factor = b_tile[step % 2][i][x];
#pragma unroll
      for (int r = 0; r < kTile / kRows; ++r) {
        sum[r] += a_tile[step % 2][threadIdx.y + r * kRows][i] * factor;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kTile / kRows; ++r) {
    const int row = top + threadIdx.y + r * kRows;
    if (row < m && left + x < n) c[static_cast<size_t>(row) * n + left + x] = sum[r];
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int tiles = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  multiply<<<tiles, dim3(kTile, kRows)>>>(a, b, c, m, n, k);
}
