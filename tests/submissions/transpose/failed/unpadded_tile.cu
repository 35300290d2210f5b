// score: 80
// The accesses are coalesced, but a column of a 32x32 tile lies in one bank.
#include "transpose.h"

__global__ void transpose_unpadded(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < cols && row + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
  }
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < rows && row + i < cols) {
      float value = tile[threadIdx.x][threadIdx.y + i];  // expect: 32-way bank conflict
      out[(row + i) * rows + col] = value;
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_unpadded<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
