// score: 0
// says: cudaFuncSetAttribute(transpose_large, cudaFuncAttributeMaxDynamicSharedMemorySize, 66560)
// A tile of 128 x 130 needs more dynamic shared memory than a kernel may have without asking.
#include "transpose.h"

constexpr int kTile = 128;
constexpr int kRows = 8;

__global__ void transpose_large(const float* in, float* out, int rows, int cols) {
  extern __shared__ float tile[];
  const int first_col = blockIdx.x * kTile, first_row = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    for (int x = threadIdx.x; x < kTile; x += 32) {
      if (first_row + y < rows && first_col + x < cols) {
        tile[y * 130 + x] = in[(first_row + y) * cols + first_col + x];
      }
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    for (int x = threadIdx.x; x < kTile; x += 32) {
      if (first_col + y < cols && first_row + x < rows) {
        out[(first_col + y) * rows + first_row + x] = tile[x * 130 + y];
      }
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_large<<<grid, dim3(32, kRows), kTile * 130 * sizeof(float)>>>(in, out, rows, cols);
}
