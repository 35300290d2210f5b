// score: 0
// says: blocks_for(int, int) is used but not defined
// The program calls a function that another file defines.
#include "transpose.h"

int blocks_for(int elements, int elements_a_block);

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid(blocks_for(cols, 32), blocks_for(rows, 8));
  transpose_kernel<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
