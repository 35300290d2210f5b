// score: 0
// says: wrong
// The sum is kept in an int.
#include "row_sums.h"

__global__ void whole_sums(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int col = 0; col < cols; ++col) sum += m[static_cast<size_t>(row) * cols + col];
  sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  whole_sums<<<(rows + 255) / 256, 256>>>(m, sums, rows, cols);
}
