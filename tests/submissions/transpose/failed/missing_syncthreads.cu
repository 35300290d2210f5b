// score: 0
// The tile is read before the other warps of the block have filled it.
#include "transpose.h"

__global__ void transpose_unsynchronised(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (col < cols && row < rows) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];  // mistake
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  if (col < rows && row < cols) out[row * rows + col] = tile[threadIdx.x][threadIdx.y];  // expect: no __syncthreads() between line 9 and line 12
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_unsynchronised<<<grid, dim3(32, 32)>>>(in, out, rows, cols);
}
