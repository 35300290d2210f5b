// score: 0
// says: wrong
// Blocks have 128 threads whose lanes add up their sums, but the sums of three warps are lost.
#include "row_sums.h"

__global__ void warp_sums(const float* m, float* sums, int cols) {
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    sum += m[static_cast<size_t>(blockIdx.x) * cols + col];
  }
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  warp_sums<<<rows, 128>>>(m, sums, cols);
}
