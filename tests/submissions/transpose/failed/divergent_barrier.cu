// score: 0
// The barrier stands inside the guard: at the right edge only part of a warp reaches it.
#include "transpose.h"

__global__ void transpose_divergent(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (col < cols && row < rows) {
    tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncthreads();  // expect: barrier
  }
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  if (col < rows && row < cols) out[row * rows + col] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_divergent<<<grid, dim3(32, 32)>>>(in, out, rows, cols);
}
