// score: 100
// Each row has a warp. Tiles of 32 elements lie in shared memory, the last of them in part: what
// lies behind a row is never written, and `x < count && tile[...] != 0` tests for the end of the
// row first. A compiler makes one predicate of both.
#include "row_sums.h"

constexpr int kWarps = 8;

__global__ void partial_tiles(const float* __restrict__ m, float* __restrict__ sums, int rows,
                              int cols) {
  __shared__ float tiles[kWarps][32];
  const int row = blockIdx.x * kWarps + threadIdx.y;
  if (row >= rows) return;
  float* tile = tiles[threadIdx.y];
  const int x = threadIdx.x;
  float sum = 0;
  for (int first = 0; first < cols; first += 32) {
    const int count = min(32, cols - first);
    if (x < count) tile[x] = m[static_cast<size_t>(row) * cols + first + x];
    __syncwarp();
    if (x < count && tile[x] != 0.0f) sum += tile[x];
    __syncwarp();
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (x == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  partial_tiles<<<(rows + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(m, sums, rows, cols);
}
