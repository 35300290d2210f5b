// score: 100
// Blocks that stay draw tiles of 32 x 32 from a counter. The two barriers of a step are
// cuda::barriers: threads arrive, load the next elements to registers, and wait then.
#include <cuda/barrier>
#include <utility>

#include "matmul.h"

constexpr int kTile = 32;
constexpr int kRows = 8;
constexpr int kEach = kTile / kRows;

__device__ int next_tile;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier filled, used;
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  __shared__ int drawn;
  const int x = threadIdx.x, y = threadIdx.y;
  const bool first_thread = x == 0 && y == 0;
  if (first_thread) {
    init(&filled, kTile * kRows);
    init(&used, kTile * kRows);
  }
  const int across = (n + kTile - 1) / kTile;
  const int tiles = (m + kTile - 1) / kTile * across;
  while (true) {
    __syncthreads();
    if (first_thread) drawn = atomicAdd(&next_tile, 1);
    __syncthreads();
    const int tile = drawn;
    if (tile >= tiles) return;
    const int top = tile / across * kTile;
    const int left = tile % across * kTile;
    float sums[kEach] = {}, of_a[kEach], of_b[kEach];
    const auto load = [&](int first) {
      for (int i = 0; i < kEach; ++i) {
        const int row = top + y + i * kRows, a_col = first + x;
        const int b_row = first + y + i * kRows, col = left + x;
        of_a[i] = row < m && a_col < k ? a[static_cast<size_t>(row) * k + a_col] : 0;
        of_b[i] = b_row < k && col < n ? b[static_cast<size_t>(b_row) * n + col] : 0;
      }
    };
    load(0);
    for (int first = 0; first < k; first += kTile) {
      for (int i = 0; i < kEach; ++i) {
        a_tile[y + i * kRows][x] = of_a[i];
        b_tile[y + i * kRows][x] = of_b[i];
      }
      auto token = filled.arrive();
      if (first + kTile < k) load(first + kTile);
      filled.wait(std::move(token));
      for (int p = 0; p < kTile; ++p) {
        const float factor = b_tile[p][x];
        for (int i = 0; i < kEach; ++i) sums[i] += a_tile[y + i * kRows][p] * factor;
      }
      used.arrive_and_wait();
    }
    for (int i = 0; i < kEach; ++i) {
      const int row = top + y + i * kRows;
      if (row < m && left + x < n) c[static_cast<size_t>(row) * n + left + x] = sums[i];
    }
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  const int zero = 0;
  cudaMemcpyToSymbolAsync(next_tile, &zero, sizeof(zero), 0, cudaMemcpyHostToDevice, 0);
  const int tiles = (m + kTile - 1) / kTile * ((n + kTile - 1) / kTile);
  const int blocks = tiles < 132 ? tiles : 132;
  multiply<<<blocks, dim3(kTile, kRows)>>>(a, b, c, m, n, k);
}
