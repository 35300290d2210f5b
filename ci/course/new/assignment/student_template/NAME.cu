// HANDOUT.md says what to do. Grade this file with `make check`.
#include "NAME.h"

// Runs on the device, once for each thread.
__global__ void NAME_kernel(const float* x, const float* y, float* out, float a, int n) {
  // TODO: which element is this thread's? Does the array have this element?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void NAME(const float* x, const float* y, float* out, float a, int n) {
  // TODO: choose a block and a grid that cover n elements, and launch the kernel:
  // NAME_kernel<<<grid, block>>>(x, y, out, a, n);
}
