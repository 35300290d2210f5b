// All loops are while loops.
#include "row_sums.h"

constexpr int kTile = 32;

__global__ void tile_sums(const float* __restrict__ m, float* __restrict__ sums, int rows,
                          int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int first_row = blockIdx.x * kTile;
  float sum = 0;
  int first_col = 0;
  while (first_col < cols) {
    int y = threadIdx.y;
    while (y < kTile) {
      const int row = first_row + y;
      const int col = first_col + threadIdx.x;
      if (row < rows && col < cols) {
        tile[y][threadIdx.x] = __ldg(m + static_cast<size_t>(row) * cols + col);
      } else {
        tile[y][threadIdx.x] = 0.0f;
      }
      y += blockDim.y;
    }
    __syncthreads();
    if (threadIdx.y == 0) {
      int x = 0;
      while (x < kTile) {
        sum += tile[threadIdx.x][x];
        x++;
      }
    }
    __syncthreads();
    first_col += kTile;
  }
  const int row = first_row + threadIdx.x;
  if (threadIdx.y == 0 && row < rows) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  tile_sums<<<(rows + kTile - 1) / kTile, dim3(kTile, 8)>>>(m, sums, rows, cols);
}
