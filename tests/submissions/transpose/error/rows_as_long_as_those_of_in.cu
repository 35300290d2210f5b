// score: 0
// says: for a row, but a row of out has
// The rows of the result are taken to be as long as those of the input.
#include "transpose.h"

__global__ void move_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) out[y * cols + x] = tile[threadIdx.x][threadIdx.y];  // expect: writes
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  move_tile<<<grid, dim3(32, 32)>>>(in, out, rows, cols);
}
