// score: 0
// says: expected -0, got 0
// The kernel adds 0 to each element, which changes -0 to 0.
#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_adding(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < cols && row + i < rows) {
      tile[threadIdx.y + i][threadIdx.x] = 0.0f + in[(row + i) * cols + col];
    }
  }
  __syncthreads();
  col = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < rows && row + i < cols) {
      out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 block(kTile, kRows);
  dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_adding<<<grid, block>>>(in, out, rows, cols);
}
