// score: 100
// A block of three warps sums a row. Each warp uses shuffles, and thread 0 adds the three sums.
#include <cstddef>

#include "row_sums.h"

__global__ void __launch_bounds__(96) sum_row(const float* m, float* sums, int cols) {
  __shared__ volatile float of_warp[3];
  const unsigned t = threadIdx.x;
  const float* const end = m + (static_cast<size_t>(blockIdx.x) + 1) * cols;
  float sum = 0;
  // From the end of the row to its beginning: -1, -2, ... are the last elements. With an int for
  // `back` the PTX is right too, but the ptxas of CUDA 13.0 makes code of it that skips elements.
  for (std::ptrdiff_t back = -1 - static_cast<std::ptrdiff_t>(t); back >= -cols; back -= 96) {
    sum += end[back];
  }
#pragma unroll
  for (unsigned lanes = 16; lanes; lanes >>= 1) sum += __shfl_xor_sync(~0u, sum, lanes);
  if (t % 32 == 0) of_warp[t / 32] = sum;
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = of_warp[0] + of_warp[1] + of_warp[2];
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sum_row<<<rows, 96>>>(m, sums, cols);
}
