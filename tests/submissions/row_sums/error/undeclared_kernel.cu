// score: 0
// The kernel's name is misspelt where it is launched.
#include "row_sums.h"

__global__ void sum_rows(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int col = 0; col < cols; ++col) sum += m[row * cols + col];
  sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sum_row<<<(rows + 255) / 256, 256>>>(m, sums, rows, cols);  // expect: sum_row
}
