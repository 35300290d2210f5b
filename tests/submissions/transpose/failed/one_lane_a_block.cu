// score: 60
// says: 1 of 32 lanes active
// The ordinary first version, but with blocks of one thread: no warp moves more than one element, and
// each of these takes a sector to load and another to store.
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
