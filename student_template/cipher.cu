// Write your cipher here. HANDOUT.md says how; `make check` grades it.
#include "cipher.h"

// Runs on the device, once for each thread. `text` and `out` have n elements.
__global__ void substitute_kernel(const int* text, const int* table, int* out, int n) {
  // TODO: which letter does this thread replace, and from which memory does it read the table?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  // TODO: choose a block and a grid, and launch the kernel:
  // substitute_kernel<<<grid, block>>>(text, table, out, n);
}
