// score: 0
// The second loop takes one step too many and fills the first row of the next tile from the unused
// column. The result is right only if the block of that tile comes later and overwrites it, which
// is not guaranteed.
#include "transpose.h"

__global__ void transpose_tiles(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    int row = blockIdx.y * 32 + y;
    if (row < rows && col < cols) tile[y][threadIdx.x] = in[row * cols + col];
  }
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  for (int y = threadIdx.y; y <= 32; y += 8) {  // mistake
    int row = blockIdx.x * 32 + y;
    if (row < cols && col < rows) out[row * rows + col] = tile[threadIdx.x][y];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_tiles<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
