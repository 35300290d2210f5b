// score: 60
// says: let many blocks share the work
// The grid has a block for each tile, but the first block goes through all tiles.
#include "transpose.h"

constexpr int kTile = 32;

__global__ void transpose_tiles(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  const int x = threadIdx.x, y = threadIdx.y;
  for (int top = 0; top < rows; top += kTile) {
    for (int left = 0; left < cols; left += kTile) {
      if (top + y < rows && left + x < cols) {
        tile[y][x] = in[size_t(top + y) * cols + left + x];
      }
      __syncthreads();
      if (left + y < cols && top + x < rows) {
        out[size_t(left + y) * rows + top + x] = tile[x][y];
      }
      __syncthreads();
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, dim3(kTile, kTile)>>>(in, out, rows, cols);
}
