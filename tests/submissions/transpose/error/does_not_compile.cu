// score: 0
// The program uses a name that it never declares.
#include "transpose.h"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < cols) out[col] = in[colum];  // expect: colum
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_kernel<<<1, 32>>>(in, out, rows, cols);
}
