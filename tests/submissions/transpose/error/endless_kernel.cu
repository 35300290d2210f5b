// score: 0
// The kernel waits for a flag that nobody sets.
#include "transpose.h"

__device__ volatile int ready;

__global__ void transpose_waiting(const float* in, float* out, int rows, int cols) {
  while (ready == 0) {  // expect: budget
  }
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_waiting<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
