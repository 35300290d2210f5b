// score: 0
// says: wrong
// The tile holds halves, which have a quarter of a float's digits.
#include <cuda_fp16.h>

#include "transpose.h"

__global__ void transpose_half(const float* in, float* out, int rows, int cols) {
  __shared__ __half tile[32][34];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < cols && row + i < rows) {
      tile[threadIdx.y + i][threadIdx.x] = __float2half(in[(row + i) * cols + col]);
    }
  }
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col < rows && row + i < cols) {
      out[(row + i) * rows + col] = __half2float(tile[threadIdx.x][threadIdx.y + i]);
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_half<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
