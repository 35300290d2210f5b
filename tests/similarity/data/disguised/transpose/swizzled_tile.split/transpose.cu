#include "transpose.h"

#include "tile.cuh"

void transpose(const float* in, float* out, int rows, int cols) {
  FlipAll(in, out, rows, cols, dim3((cols + 31) / 32, (rows + 31) / 32));
}
