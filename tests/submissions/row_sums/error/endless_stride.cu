// score: 0
// says: instructions
// The loop's step is the number of blocks minus one, which is zero for one block.
#include "row_sums.h"

__global__ void endless_sums(const float* m, float* sums, int rows, int cols) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x - 1) {
    float sum = 0;
    for (int col = threadIdx.x; col < cols; col += 32) {
      sum += m[static_cast<size_t>(row) * cols + col];
    }
    for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
    if (threadIdx.x == 0) sums[row] = sum;
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  endless_sums<<<1, 32>>>(m, sums, rows, cols);
}
