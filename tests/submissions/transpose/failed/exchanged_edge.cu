// score: 0
// says: wrong
// The second guard compares with rows and cols exchanged; only ragged, non-square shapes show it.
#include "transpose.h"

__global__ void transpose_exchanged(const float* in, float* out, int rows, int cols) {
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
    if (col < cols && row + i < rows) out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];  // mistake
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_exchanged<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows,
                                                                                cols);
}
