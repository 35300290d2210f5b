// score: 0
// says: wrong
// Rows are taken to be `rows` elements apart: right for squares. The tallest matrix is left so far
// behind that the device stops the kernel.
#include "row_sums.h"

__global__ void square_sums(const float* m, float* sums, int rows, int cols) {
  int lane = threadIdx.x;
  int row = blockIdx.x;
  float sum = 0;
  for (int col = lane; col < cols; col += 32) sum += m[row * rows + col];
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (lane == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  square_sums<<<rows, 32>>>(m, sums, rows, cols);
}
