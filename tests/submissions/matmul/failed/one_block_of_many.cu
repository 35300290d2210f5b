// score: 65
// says: let many blocks share the work
// The grid has a block for each tile of the result, but the first block computes all of them.
#include "matmul.h"

constexpr int kTile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float of_a[kTile][kTile];
  __shared__ float of_b[kTile][kTile];
  if (blockIdx.x != 0) return;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int top = 0; top < m; top += kTile) {
    for (int left = 0; left < n; left += kTile) {
      const int row = top + y, col = left + x;
      float sum = 0;
      for (int first = 0; first < k; first += kTile) {
        of_a[y][x] = row < m && first + x < k ? a[size_t(row) * k + first + x] : 0;
        of_b[y][x] = first + y < k && col < n ? b[size_t(first + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += of_a[y][i] * of_b[i][x];
        __syncthreads();
      }
      if (row < m && col < n) c[size_t(row) * n + col] = sum;
    }
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int tiles = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  multiply<<<tiles, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}
