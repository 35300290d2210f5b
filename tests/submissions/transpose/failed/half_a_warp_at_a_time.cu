// score: 80
// says: 16 of 32 lanes active
// says: without bank conflicts and idle lanes
// A row of the tile has 34 words, so that a column meets each bank twice. Half a warp at a time has
// no conflict, and takes as many wavefronts.
#include "transpose.h"

constexpr int kTile = 32;

__global__ void transpose_by_halves(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 2];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (col < cols && row < rows) {
    tile[threadIdx.y][threadIdx.x] = in[static_cast<size_t>(row) * cols + col];
  }
  __syncthreads();
  float element = 0;
  for (unsigned half = 0; half < 2; ++half) {
    if (threadIdx.x / 16 == half) element = tile[threadIdx.x][threadIdx.y];
    __syncwarp();
  }
  col = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (col < rows && row < cols) out[static_cast<size_t>(row) * rows + col] = element;
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_by_halves<<<grid, dim3(kTile, kTile)>>>(in, out, rows, cols);
}
