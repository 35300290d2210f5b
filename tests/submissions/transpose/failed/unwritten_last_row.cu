// score: 0
// says: never written
// The guard of the store is one too small: the last row of the output is never written.
#include "transpose.h"

__global__ void transpose_short(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < cols && row + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
  }
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < rows && row + i < cols - 1) {  // mistake
      out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_short<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
