// score: 0
// says: wrong
// Rows and columns are exchanged.
#include "row_sums.h"

__global__ void column_sums(const float* m, float* sums, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0;
  for (int j = 0; j < cols; ++j) sum += m[j * rows + i];
  sums[i] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  column_sums<<<(rows + 255) / 256, 256>>>(m, sums, rows, cols);
}
