// score: 0
// says: which no malloc in a kernel returned
// A kernel frees the matrix by free(), which is allowed only for memory that malloc() in a kernel
// has allocated.
#include "row_sums.h"

__global__ void warp_sums(const float* m, float* sums, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 32) sum += m[static_cast<size_t>(row) * cols + col];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  if (threadIdx.x == 0) sums[row] = sum;
}

__global__ void done(float* m) { free(m); }

void row_sums(const float* m, float* sums, int rows, int cols) {
  warp_sums<<<(rows + 7) / 8, dim3(32, 8)>>>(m, sums, rows, cols);
  done<<<1, 1>>>(const_cast<float*>(m));
}
