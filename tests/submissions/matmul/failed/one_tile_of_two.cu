// score: 0
// says: asks for 1,024 bytes of dynamic shared memory, but the kernel uses 2,048
#include "matmul.h"

constexpr int kTile = 16;

// Both tiles lie in one dynamic array, which has room for one.
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  extern __shared__ float tiles[];
  float* as = tiles;
  float* bs = tiles + kTile * kTile;
  int x = threadIdx.x, y = threadIdx.y;
  int across = (n + kTile - 1) / kTile;
  int row = blockIdx.x / across * kTile + y, col = blockIdx.x % across * kTile + x;
  float sum = 0;
  for (int p = 0; p < k; p += kTile) {
    as[y * kTile + x] = row < m && p + x < k ? a[(size_t)row * k + p + x] : 0;
    bs[y * kTile + x] = p + y < k && col < n ? b[(size_t)(p + y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += as[y * kTile + i] * bs[i * kTile + x];
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int blocks = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  product<<<blocks, dim3(kTile, kTile), kTile * kTile * sizeof(float)>>>(a, b, c, m, n, k);
}
