// score: 0
// says: never launched a kernel
// The program writes zeros, which a large absolute tolerance would accept.
#include "transpose.h"

void transpose(const float*, float* out, int rows, int cols) {
  cudaMemset(out, 0, static_cast<size_t>(rows) * cols * sizeof(float));
}
