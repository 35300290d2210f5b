// score: 0
// says: of both, which thread
#include "row_sums.h"

// A block has two rows; both arrays of sums lie in one dynamic array, the second 32 bytes too early.
__global__ void add_rows(const float* m, float* sums, int rows, int cols) {
  extern __shared__ float both[];
  float* upper = both;
  float* lower = both + blockDim.x / 4;
  int t = threadIdx.x, row = 2 * blockIdx.x;
  float one = 0, two = 0;
  for (int c = t; c < cols; c += blockDim.x) {
    one += m[(size_t)row * cols + c];
    if (row + 1 < rows) two += m[(size_t)(row + 1) * cols + c];
  }
  upper[t] = one;
  lower[t] = two;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) {
      upper[t] += upper[t + s];
      lower[t] += lower[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    sums[row] = upper[0];
    if (row + 1 < rows) sums[row + 1] = lower[0];
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  add_rows<<<(rows + 1) / 2, 128, 2 * 128 * sizeof(float)>>>(m, sums, rows, cols);
}
