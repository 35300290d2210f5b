// score: 0
// says: no __syncthreads() between
// says: which an asynchronous copy of thread
// Each thread waits for its own copies, but no barrier makes the other threads' copies visible.
#include <cuda_pipeline.h>

#include "matmul.h"

constexpr int kTile = 16;

__device__ void copy(float* to, const float* from, bool inside) {
  if (inside) {
    __pipeline_memcpy_async(to, from, sizeof(float));
  } else {
    *to = 0;
  }
}

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int across = (n + kTile - 1) / kTile;
  int row = blockIdx.x / across * kTile + y;
  int col = blockIdx.x % across * kTile + x;
  float sum = 0;
  for (int p = 0; p < k; p += kTile) {
    copy(&as[y][x], &a[(size_t)row * k + p + x], row < m && p + x < k);
    copy(&bs[y][x], &b[(size_t)(p + y) * n + col], p + y < k && col < n);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < kTile; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int blocks = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  product<<<blocks, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}
