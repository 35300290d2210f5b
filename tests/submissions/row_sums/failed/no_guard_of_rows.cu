// score: 80
// The last block sums rows that do not exist, and stores their sums.
#include "row_sums.h"

__global__ void unguarded_sums(const float* m, float* sums, int cols) {
  int lane = threadIdx.x;
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int col = lane; col < cols; col += 32) {
    sum += m[static_cast<size_t>(row) * cols + col];  // expect: past the end
  }
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (lane == 0) sums[row] = sum;  // expect: past the end
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  unguarded_sums<<<(rows + 7) / 8, dim3(32, 8)>>>(m, sums, cols);
}
