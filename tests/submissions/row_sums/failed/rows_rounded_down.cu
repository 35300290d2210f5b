// score: 0
// says: never written
// The grid has rows / 8 blocks of 8 rows each, and none for the last rows.
#include "row_sums.h"

__global__ void some_sums(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 32) {
    sum += m[static_cast<size_t>(row) * cols + col];
  }
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (threadIdx.x == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  int blocks = rows / 8 > 0 ? rows / 8 : 1;
  some_sums<<<blocks, dim3(32, 8)>>>(m, sums, rows, cols);
}
