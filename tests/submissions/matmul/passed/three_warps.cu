// score: 100
// Blocks of 96 threads in one dimension compute 48 x 32 elements, 16 of a column each.
#include "matmul.h"

constexpr int kRowsEach = 16;
constexpr int kTileRows = 48;
constexpr int kTileCols = 32;
constexpr int kDepth = 32;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTileRows][kDepth];
  __shared__ float b_tile[kDepth][kTileCols];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int across = (n + kTileCols - 1) / kTileCols;
  const int top = static_cast<int>(blockIdx.x) / across * kTileRows;
  const int col = static_cast<int>(blockIdx.x) % across * kTileCols + lane;
  float sums[kRowsEach] = {};
  for (int first = 0; first < k; first += kDepth) {
    for (int y = warp; y < kTileRows; y += 3) {
      const bool exists = top + y < m && first + lane < k;
      a_tile[y][lane] = exists ? a[static_cast<size_t>(top + y) * k + first + lane] : 0;
    }
    for (int y = warp; y < kDepth; y += 3) {
      const bool exists = first + y < k && col < n;
      b_tile[y][lane] = exists ? b[static_cast<size_t>(first + y) * n + col] : 0;
    }
    __syncthreads();
    for (int p = 0; p < kDepth; ++p) {
      const float factor = b_tile[p][lane];
#pragma unroll
      for (int r = 0; r < kRowsEach; ++r) sums[r] += a_tile[warp * kRowsEach + r][p] * factor;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kRowsEach; ++r) {
    const int row = top + warp * kRowsEach + r;
    if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = sums[r];
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int blocks = (m + kTileRows - 1) / kTileRows * ((n + kTileCols - 1) / kTileCols);
  multiply<<<blocks, 96>>>(a, b, c, m, n, k);
}
