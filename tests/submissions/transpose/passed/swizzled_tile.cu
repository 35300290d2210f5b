// score: 100
// There is no padding: an exclusive or of the column and the row gives the place in the tile, so
// that a column of the tile lies in 32 different banks.
#include "transpose.h"

__global__ void transpose_swizzled(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32 * 32];
  const int x = threadIdx.x;
  const int first_row = blockIdx.y * 32;
  const int first_col = blockIdx.x * 32;
#pragma unroll
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (first_row + y < rows && first_col + x < cols) {
      tile[y * 32 + (x ^ y)] = in[static_cast<size_t>(first_row + y) * cols + first_col + x];
    }
  }
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (first_col + y < cols && first_row + x < rows) {
      out[static_cast<size_t>(first_col + y) * rows + first_row + x] = tile[x * 32 + (x ^ y)];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_swizzled<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
