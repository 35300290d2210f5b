// score: 100
// Each element has one thread: every warp adds its part to the row's sum, in any order.
#include "row_sums.h"

__global__ void add_elements(const float* m, float* sums, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    if (col < cols) atomicAdd(&sums[row], m[static_cast<size_t>(row) * cols + col]);
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  cudaMemset(sums, 0, rows * sizeof(float));
  add_elements<<<dim3((cols + 255) / 256, min(rows, 65535)), 256>>>(m, sums, rows, cols);
}
