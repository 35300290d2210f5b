// score: 80
// Every lane loads before it compares the index with the row's end, and so reads past the last row.
#include "row_sums.h"

__global__ void eager_sums(const float* m, float* sums, int rows, int cols) {
  int lane = threadIdx.x;
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int first = 0; first < cols; first += 32) {
    float element = m[static_cast<size_t>(row) * cols + first + lane];  // expect: past the end
    if (first + lane < cols) sum += element;
  }
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (lane == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  eager_sums<<<(rows + 3) / 4, dim3(32, 4)>>>(m, sums, rows, cols);
}
