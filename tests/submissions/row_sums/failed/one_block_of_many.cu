// score: 60
// says: let many blocks share the work
// The grid has a block for 8 rows, but the first block adds up all of them.
#include "row_sums.h"

__global__ void sum_rows(const float* m, float* sums, int rows, int cols) {
  if (blockIdx.x != 0) return;
  for (int row = threadIdx.y; row < rows; row += blockDim.y) {
    float sum = 0;
    for (int col = threadIdx.x; col < cols; col += 32) sum += m[size_t(row) * cols + col];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) sums[row] = sum;
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sum_rows<<<(rows + 7) / 8, dim3(32, 8)>>>(m, sums, rows, cols);
}
