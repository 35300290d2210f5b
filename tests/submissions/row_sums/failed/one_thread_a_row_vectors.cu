// score: 60
// One thread sums a row in loads of 16 bytes, so that half of each sector is still wasted.
#include "row_sums.h"

__global__ void wide_sums(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* elements = m + static_cast<size_t>(row) * cols;
  float sum = 0;
  if (cols % 4 == 0) {
    for (int col = 0; col < cols; col += 4) {
      const float4 v = *reinterpret_cast<const float4*>(elements + col);  // expect: 2 for each needed
      sum += v.x + v.y + v.z + v.w;
    }
  } else {
    for (int col = 0; col < cols; ++col) sum += elements[col];
  }
  sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  wide_sums<<<(rows + 63) / 64, 64>>>(m, sums, rows, cols);
}
