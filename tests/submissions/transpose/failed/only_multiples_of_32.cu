// score: 0
// says: never written
// The grid is rounded down: elements at the right and lower edges are never written.
#include "transpose.h"

__global__ void transpose_full_tiles(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid(cols / 32, rows / 32);
  if (grid.x > 0 && grid.y > 0) transpose_full_tiles<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
