// score: 0
// says: wrong
// Each lane adds cols / 32 elements, and the last elements of a row are left out.
#include "row_sums.h"

__global__ void short_sums(const float* m, float* sums, int cols) {
  const float* row = m + static_cast<size_t>(blockIdx.x) * cols;
  float sum = 0;
  for (int i = 0; i < cols / 32; ++i) sum += row[i * 32 + threadIdx.x];
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  short_sums<<<rows, 32>>>(m, sums, cols);
}
