// score: 0
// The barrier stands inside the if, and only the lower half of the block reaches it.
#include "row_sums.h"

__global__ void stuck_sums(const float* m, float* sums, int cols) {
  __shared__ float part[128];
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 128) {
    sum += m[static_cast<size_t>(blockIdx.x) * cols + col];
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();  // expect: barrier
    }
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  stuck_sums<<<rows, 128>>>(m, sums, cols);
}
