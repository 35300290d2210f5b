// score: 60
// says: 1 of 32 lanes active
// A block has one thread and moves one element: each load and each store of an element moves a
// sector.
#include "transpose.h"

__global__ void transpose_alone(const float* in, float* out, int rows, int cols) {
  for (int i = blockIdx.x; i < rows * cols; i += gridDim.x) {
    int row = i / cols;
    int col = i % cols;
    float value = in[i];            // expect: 8 for each needed
    out[col * rows + row] = value;  // expect: 8 for each needed
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_alone<<<1024, 1>>>(in, out, rows, cols);
}
