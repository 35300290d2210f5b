// score: 60
// Each row has its own block of a single thread.
#include "row_sums.h"

__global__ void lonely_sums(const float* m, float* sums, int rows, int cols) {
  float sum = 0;
  for (int col = 0; col < cols; ++col) {
    sum += m[blockIdx.x * cols + col];  // expect: 1 of 32 lanes active
  }
  sums[blockIdx.x] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  lonely_sums<<<rows, 1>>>(m, sums, rows, cols);
}
