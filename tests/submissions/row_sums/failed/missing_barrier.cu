// score: 0
// The halves are folded before the other warps have stored theirs.
#include "row_sums.h"

__global__ void hasty_sums(const float* m, float* sums, int cols) {
  __shared__ float part[256];
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 256) {
    sum += m[static_cast<size_t>(blockIdx.x) * cols + col];
  }
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];  // expect: no __syncthreads() between
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  hasty_sums<<<rows, 256>>>(m, sums, cols);
}
