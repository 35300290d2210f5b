// score: 0
// says: no __syncthreads() between
// The kernel has no barrier, neither before nor after the tiles are used.
#include "matmul.h"

constexpr int kTile = 16;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[kTile][kTile];
  __shared__ float bs[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int across = (n + kTile - 1) / kTile;
  int row = blockIdx.x / across * kTile + y;
  int col = blockIdx.x % across * kTile + x;
  float sum = 0;
  for (int p = 0; p < k; p += kTile) {
    as[y][x] = row < m && p + x < k ? a[(size_t)row * k + p + x] : 0;
    bs[y][x] = p + y < k && col < n ? b[(size_t)(p + y) * n + col] : 0;
    for (int i = 0; i < kTile; ++i) {
      sum += as[y][i] * bs[i][x];
    }
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int blocks = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  product<<<blocks, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}
