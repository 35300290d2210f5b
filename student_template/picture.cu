// Write your picture here. HANDOUT.md says how; `make check` grades it.
#include "picture.h"

// Runs on the device, once for each thread. `in` and `out` have `height` rows of `width` pixels.
__global__ void scale_kernel(const float* in, float* out, int width, int height) {
  // TODO: which pixel is this thread's? Does the picture have this pixel?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void scale_picture(const float* in, float* out, int width, int height) {
  // TODO: choose a block and a grid that cover the whole picture, and launch the kernel:
  // scale_kernel<<<grid, block>>>(in, out, width, height);
}
