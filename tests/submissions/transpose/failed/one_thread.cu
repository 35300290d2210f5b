// score: 60
// One thread moves everything.
#include "transpose.h"

__global__ void transpose_by_one(const float* in, float* out, int rows, int cols) {
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      out[col * rows + row] = in[row * cols + col];  // expect: 1 of 32 lanes active
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_by_one<<<1, 1>>>(in, out, rows, cols);
}
