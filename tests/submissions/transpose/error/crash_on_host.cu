// score: 0
// says: one to device memory
// The host reads device memory.
#include "transpose.h"

void transpose(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
  }
}
