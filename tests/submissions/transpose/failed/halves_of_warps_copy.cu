// score: 80
// says: give work to all 32 lanes
// The tile is filled by asynchronous copies of 16 lanes at a time: twice as many passes through
// shared memory as with whole warps.
#include <cuda_pipeline.h>

#include "transpose.h"

constexpr int kTile = 32;

__global__ void Tiles(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int col = blockIdx.x * kTile, row = blockIdx.y * kTile;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += 8) {
    if (row + y >= rows || col + x >= cols) continue;
    const float* const from = in + static_cast<size_t>(row + y) * cols + col + x;
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[y][x]));
    // One instruction for every other group of eight lanes.
    asm volatile(
        "{ .reg .pred p; setp.eq.s32 p, %2, 0;\n"
        "@p cp.async.ca.shared.global [%0], [%1], 4;\n"
        "@!p cp.async.ca.shared.global [%0], [%1], 4; }" ::"r"(to),
        "l"(from), "r"(x / 8 % 2)
        : "memory");
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += 8) {
    if (col + y < cols && row + x < rows) {
      out[static_cast<size_t>(col + y) * rows + row + x] = tile[x][y];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  Tiles<<<grid, dim3(kTile, 8)>>>(in, out, rows, cols);
}
