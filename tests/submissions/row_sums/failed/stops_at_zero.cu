// score: 0
// says: wrong
// Each thread stops at the first zero of its row.
#include "row_sums.h"

constexpr int kThreads = 128;

__global__ void sums_to_zero(const float* m, float* sums, int cols) {
  __shared__ float part[kThreads];
  const float* row = m + static_cast<size_t>(blockIdx.x) * cols;
  float sum = 0;
  for (int col = threadIdx.x; col < cols && row[col] != 0; col += kThreads) {
    sum += row[col];
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sums_to_zero<<<rows, kThreads>>>(m, sums, cols);
}
