// score: 0
// The wait lets two groups stay under way, and one of them copies the tiles that are multiplied.
// says: before any thread has waited for the copy
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

__global__ void matmul_ahead(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[2][kTile][kTile];
  __shared__ float bs[2][kTile][kTile];
  int tiles_across = (n + kTile - 1) / kTile;
  int row = blockIdx.x / tiles_across * kTile + threadIdx.y;
  int col = blockIdx.x % tiles_across * kTile + threadIdx.x;
  int steps = (k + kTile - 1) / kTile;
  auto fill = [&](int step) {
    if (step < steps) {
      int pa = step * kTile + threadIdx.x, pb = step * kTile + threadIdx.y;
      copy(&as[step % 2][threadIdx.y][threadIdx.x], &a[(size_t)row * k + pa], row < m && pa < k);
      copy(&bs[step % 2][threadIdx.y][threadIdx.x], &b[(size_t)pb * n + col], pb < k && col < n);
    }
    __pipeline_commit();
  };
  fill(0);
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    fill(step + 1);
    __pipeline_wait_prior(2);
    __syncthreads();
    for (int p = 0; p < kTile; ++p) {
      sum += as[step % 2][threadIdx.y][p] * bs[step % 2][p][threadIdx.x];
    }
    __syncthreads();
  }
  if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int tiles = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  matmul_ahead<<<tiles, dim3(kTile, kTile)>>>(a, b, c, m, n, k);
}
