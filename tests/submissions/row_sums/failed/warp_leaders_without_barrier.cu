// score: 0
// says: no __syncthreads() between
#include "row_sums.h"

// A block a row; each warp's sum goes through shared memory to the first warp.
__global__ void sums_of_rows(const float* m, float* sums, int rows, int cols) {
  __shared__ float parts[8];
  const float* row = m + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) sum += row[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  if (threadIdx.x < 8) {
    sum = parts[threadIdx.x];
    for (int d = 4; d > 0; d /= 2) sum += __shfl_down_sync(0xff, sum, d);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sums_of_rows<<<rows, 256>>>(m, sums, rows, cols);
}
