// score: 60
// says: sectors
// The program uses a tile only for 256 x 512 and 512 x 512, the shapes of an earlier report.
#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_padded(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < cols && row + i < rows) {
      tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
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

__global__ void transpose_naive(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * kTile + threadIdx.x;
  for (int row = blockIdx.y * kTile + threadIdx.y; row < min(rows, ((int)blockIdx.y + 1) * kTile);
       row += kRows) {
    if (col < cols) out[col * rows + row] = in[row * cols + col];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 block(kTile, kRows);
  dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  if (cols == 512 && (rows == 256 || rows == 512)) {
    transpose_padded<<<grid, block>>>(in, out, rows, cols);
  } else {
    transpose_naive<<<grid, block>>>(in, out, rows, cols);
  }
}
