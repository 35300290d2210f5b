// score: 0
// All threads of a row add to its sum at once, without atomics: the last one wins.
#include "row_sums.h"

__global__ void clear(float* sums, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) sums[row] = 0;
}

__global__ void racing_sums(const float* m, float* sums, int rows, int cols) {
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    sums[blockIdx.x] += m[static_cast<size_t>(blockIdx.x) * cols + col];
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  clear<<<(rows + 255) / 256, 256>>>(sums, rows);
  racing_sums<<<rows, 128>>>(m, sums, rows, cols);
}
