// Reference solution: a block computes a tile of 16 x 16 elements of c. It walks along a row of
// tiles of a and a column of tiles of b, and brings one of each into shared memory at a time, so
// that every element that is loaded serves 16 threads.
#include "matmul.h"

namespace {

constexpr int kTile = 16;  // elements of each side, and threads of each side

__global__ void MultiplyTiles(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];

  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);

  // Tiles are numbered in x alone, because a grid has at most 65,535 blocks in y.
  const int tiles_across = (n + kTile - 1) / kTile;
  const int row = static_cast<int>(blockIdx.x) / tiles_across * kTile + y;
  const int col = static_cast<int>(blockIdx.x) % tiles_across * kTile + x;

  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    // Threads beyond an edge load zeros, which do not change the sum.
    const int a_col = first + x;
    const int b_row = first + y;
    a_tile[y][x] = row < m && a_col < k ? a[static_cast<size_t>(row) * k + a_col] : 0;
    b_tile[y][x] = b_row < k && col < n ? b[static_cast<size_t>(b_row) * n + col] : 0;
    __syncthreads();  // both tiles are complete before any element is used

#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();  // every thread is done with the tiles before they are overwritten
  }
  if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = sum;
}

}  // namespace

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int tiles = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  MultiplyTiles<<<tiles, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}
