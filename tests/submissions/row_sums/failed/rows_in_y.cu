// score: 0
// says: 70000
// Each row has its own block in y, but a grid has at most 65,535 there.
#include "row_sums.h"

__global__ void sums_in_y(const float* m, float* sums, int cols) {
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 32) {
    sum += m[static_cast<size_t>(blockIdx.y) * cols + col];
  }
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (threadIdx.x == 0) sums[blockIdx.y] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sums_in_y<<<dim3(1, rows), 32>>>(m, sums, cols);
}
