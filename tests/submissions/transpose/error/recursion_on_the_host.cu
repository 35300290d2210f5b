// score: 0
// says: host code ran out of stack
// A function that calls itself without end computes the number of blocks.
#include "transpose.h"

__global__ void transpose_recursion(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

int blocks_for(int n) {
  volatile int rest[100];
  rest[n & 63] = n - 32;
  return 1 + blocks_for(rest[n & 63]) + rest[0];
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 block(32, 8);
  transpose_recursion<<<dim3(blocks_for(cols), (rows + 7) / 8), block>>>(in, out, rows, cols);
}
