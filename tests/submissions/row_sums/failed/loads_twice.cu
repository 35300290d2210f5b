// score: 60
// Each warp loads its row once to inspect it, and once more to add it up.
#include "row_sums.h"

__global__ void careful_sums(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const volatile float* values = m + row * cols;
  float largest = 0;
  for (int col = threadIdx.x; col < cols; col += 32) {
    largest = fmaxf(largest, fabsf(values[col]));  // expect: global load
  }
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 32) {
    sum += values[col];  // expect: global load
  }
  if (!(largest >= 0)) sum = largest;
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  if (threadIdx.x == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  careful_sums<<<(rows + 7) / 8, dim3(32, 8)>>>(m, sums, rows, cols);
}
