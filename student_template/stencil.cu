// Write your stencil here. HANDOUT.md says how; `make check` grades it.
#include "stencil.h"

// Runs on the device, once for each thread. `in` and `out` have n elements.
__global__ void stencil_kernel(const float* in, float* out, int n) {
  // TODO: which sum is this thread's, and which of its seven elements exist?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void stencil(const float* in, float* out, int n) {
  // TODO: choose a block and a grid that cover all elements, and launch the kernel:
  // stencil_kernel<<<grid, block>>>(in, out, n);
}
