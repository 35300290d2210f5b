// score: 60
// The result is right, but the 32 threads of a warp read 32 different rows, each its own sector.
#include "row_sums.h"

__global__ void naive_sums(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int col = 0; col < cols; ++col) {
    sum += m[row * cols + col];  // expect: 8 for each needed
  }
  sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  naive_sums<<<(rows + 255) / 256, 256>>>(m, sums, rows, cols);
}
