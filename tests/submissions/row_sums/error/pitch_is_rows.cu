// score: 0
// says: wrong
// The kernel assumes a distance of `rows` elements between rows, which is right for squares. In the
// tallest matrix the addresses are so far away that the device stops the kernel.
#include "row_sums.h"

__global__ void square_sums(const float* m, float* sums, int rows, int cols) {
  int lane = threadIdx.x;
  int row = blockIdx.x;
  float sum = 0;
  for (int col = lane; col < cols; col += 32) sum += m[row * rows + col];
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, i);
  if (lane == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  square_sums<<<rows, 32>>>(m, sums, rows, cols);
}
