// score: 0
// says: pass the mask 0xffffffff
// All lanes shuffle, and the mask names half of them.
#include "row_sums.h"

__global__ void masked_sums(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 32) {
    sum += m[static_cast<size_t>(row) * cols + col];
  }
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFF, sum, i);  // expect: does not name
  if (threadIdx.x == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  masked_sums<<<(rows + 7) / 8, dim3(32, 8)>>>(m, sums, rows, cols);
}
