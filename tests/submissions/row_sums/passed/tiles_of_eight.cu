// score: 100
// Eight lanes sum a row: their loads fill a sector. Shuffles within a tile of eight add up.
#include <cooperative_groups.h>

#include "row_sums.h"

namespace cg = cooperative_groups;

__global__ void sum_rows(const float* __restrict__ m, float* __restrict__ sums, int rows,
                         int cols) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const long long row =
      static_cast<long long>(blockIdx.x) * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  const float* const elements = m + row * cols;
  float sum = 0;
  for (int col = tile.thread_rank(); col < cols; col += tile.num_threads()) sum += elements[col];
  for (int step = tile.num_threads() / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  if (tile.thread_rank() == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sum_rows<<<(rows + 31) / 32, 256>>>(m, sums, rows, cols);
}
