// Write your row sums here. HANDOUT.md says how; `make check` grades it.
#include "row_sums.h"

// Runs on the device, once for each thread. `m` has rows x cols elements, `sums` has `rows`.
__global__ void row_sums_kernel(const float* m, float* sums, int rows, int cols) {
  // TODO: which elements does this thread add up, and who writes the sum of a row?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void row_sums(const float* m, float* sums, int rows, int cols) {
  // TODO: choose a block and a grid that cover all rows, and launch the kernel:
  // row_sums_kernel<<<grid, block>>>(m, sums, rows, cols);
}
