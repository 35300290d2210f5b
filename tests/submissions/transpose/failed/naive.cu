// score: 60
// The result is right, but every warp writes a column: 32 sectors a request.
#include "transpose.h"

__global__ void transpose_naive(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    out[col * rows + row] = in[row * cols + col];  // expect: sectors
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 block(32, 8);
  dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  transpose_naive<<<grid, block>>>(in, out, rows, cols);
}
