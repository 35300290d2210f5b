// score: 0
// Rows are numbered in 16 bits, and the handout allows 70,000 of them.
#include "transpose.h"

__global__ void short_rows(const float* in, float* out, int rows, int cols) {
  const unsigned short row = blockIdx.x;
  for (int col = threadIdx.x; col < cols; col += blockDim.x) {
    out[static_cast<size_t>(col) * rows + row] = in[static_cast<size_t>(row) * cols + col];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  short_rows<<<rows, 64>>>(in, out, rows, cols);
}
