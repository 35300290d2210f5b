// score: 0
// says: cudaFuncAttributeMaxDynamicSharedMemorySize, 98304
#include "matmul.h"

constexpr int kTile = 32;

// Two tiles, each as deep as three of the usual ones: 98,304 bytes.
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  extern __shared__ float tiles[];
  float(*as)[3 * kTile] = (float(*)[3 * kTile])tiles;
  float(*bs)[kTile] = (float(*)[kTile])(tiles + 3 * kTile * kTile);
  int x = threadIdx.x, y = threadIdx.y;
  int across = (n + kTile - 1) / kTile;
  int row = blockIdx.x / across * kTile + y, col = blockIdx.x % across * kTile + x;
  float sum = 0;
  for (int p = 0; p < k; p += 3 * kTile) {
    for (int q = 0; q < 3 * kTile; q += kTile) {
      as[y][q + x] = row < m && p + q + x < k ? a[(size_t)row * k + p + q + x] : 0;
      bs[q + y][x] = p + q + y < k && col < n ? b[(size_t)(p + q + y) * n + col] : 0;
    }
    __syncthreads();
    for (int i = 0; i < 3 * kTile; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int blocks = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  product<<<blocks, dim3(kTile, kTile), 98304>>>(a, b, c, m, n, k);
}
