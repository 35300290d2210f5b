// score: 100
// threadIdx.x counts columns, so that the threads of a warp access a row.
#include "matmul.h"

constexpr int kTile = 32;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int x = threadIdx.y, y = threadIdx.x;
  int across = (n + kTile - 1) / kTile;
  int row = blockIdx.x / across * kTile + x;
  int col = blockIdx.x % across * kTile + y;
  float sum = 0;
  for (int p = 0; p < k; p += kTile) {
    as[x][y] = row < m && p + y < k ? a[(size_t)row * k + p + y] : 0;
    bs[x][y] = p + x < k && col < n ? b[(size_t)(p + x) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += as[x][i] * bs[i][y];
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int blocks = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  product<<<blocks, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}
