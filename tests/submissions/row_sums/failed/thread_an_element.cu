// score: 0
// says: 1025
// Each element of a row has its own thread, but a block has at most 1024.
#include "row_sums.h"

__global__ void long_block(const float* m, float* sums, int cols) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, m[static_cast<size_t>(blockIdx.x) * cols + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  long_block<<<rows, cols>>>(m, sums, cols);
}
