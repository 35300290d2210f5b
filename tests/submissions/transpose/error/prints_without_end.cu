// score: 0
// says: did not end within its budget
// Every thread prints a thousand lines.
#include <cstdio>

#include "transpose.h"

__global__ void Transpose(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row >= rows || col >= cols) return;
  for (int i = 0; i < 100000; ++i) printf("element %d, %d, turn %d\n", row, col, i);  // expect: budget
  out[static_cast<size_t>(col) * rows + row] = in[static_cast<size_t>(row) * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  Transpose<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
