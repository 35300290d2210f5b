// score: 100
// A block copies whole rows, or pieces of one, to shared memory asynchronously, and waits for them
// at a cuda::barrier. Its warps take the rows of a piece in turn.
#include <cooperative_groups.h>

#include <cuda/barrier>

#include "row_sums.h"

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kPiece = 1024;
constexpr int kWarps = 4;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void sum_pieces(const float* m, float* sums, int rows, int cols, int rows_each) {
  __shared__ Barrier copied;
  __shared__ float piece[kPiece];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&copied, blockDim.x);
  block.sync();

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int first_row = blockIdx.x * rows_each;
  const int here = min(rows_each, rows - first_row);
  const int width = min(cols, kPiece);
  float sum = 0;
  for (int first = 0; first < cols; first += width) {
    const int count = min(width, cols - first);
    // Either all columns of several rows, or a piece of one row.
    cuda::memcpy_async(block, piece, m + static_cast<size_t>(first_row) * cols + first,
                       sizeof(float) * count * here, copied);
    copied.arrive_and_wait();
    for (int r = warp; r < here; r += kWarps) {
      if (count == cols) sum = 0;
      for (int i = lane; i < count; i += 32) sum += piece[r * count + i];
      if (first + count < cols) continue;
      float total = sum;
      for (int d = 16; d > 0; d /= 2) total += __shfl_down_sync(0xFFFFFFFF, total, d);
      if (lane == 0) sums[first_row + r] = total;
    }
    block.sync();
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  const int rows_each = cols < kPiece ? kPiece / cols : 1;
  const int blocks = (rows - 1) / rows_each + 1;
  sum_pieces<<<blocks, 32 * kWarps>>>(m, sums, rows, cols, rows_each);
}
