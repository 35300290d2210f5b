// score: 0
// says: 4096
// A block of 64 x 64 threads is too large, and the program ignores the error.
#include "transpose.h"

__global__ void transpose_64(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * 64 + threadIdx.x;
  int row = blockIdx.y * 64 + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_64<<<dim3((cols + 63) / 64, (rows + 63) / 64), dim3(64, 64)>>>(in, out, rows, cols);
}
