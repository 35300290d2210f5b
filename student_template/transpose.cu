// Write your transpose here. HANDOUT.md says how; `make check` grades it.
#include "transpose.h"

// Runs on the device, once for each thread. `in` has rows x cols elements, `out` has cols x rows.
__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  // TODO: which element does this thread move, from where, to where?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void transpose(const float* in, float* out, int rows, int cols) {
  // TODO: choose a block and a grid that cover the whole matrix, and launch the kernel:
  // transpose_kernel<<<grid, block>>>(in, out, rows, cols);
}
