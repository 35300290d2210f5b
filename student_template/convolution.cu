// Write your convolution here. HANDOUT.md says how; `make check` grades it.
#include "convolution.h"

// Runs on the device, once for each thread.
__global__ void convolution_kernel(const float* in, const float* mask, float* out, int height,
                                   int width, int radius) {
  // TODO: which pixel is this thread's, and which pixels and weights does its sum contain?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  // TODO: choose a block and a grid that cover the image, and launch the kernel:
  // convolution_kernel<<<grid, block>>>(in, mask, out, height, width, radius);
}
