// Write your wave here. HANDOUT.md says how; `make check` grades it.
#include "wave3d.h"

// Runs on the device, once for each thread. A kernel cannot read the host's memory, so how does it
// get the coefficients?
__global__ void wave3d_kernel(float* next, const float* curr, const float* prev, const float* vsq,
                              int nx, int ny, int nz) {
  // TODO: which cells does this thread compute, and which neighbours does it need?
}

// Runs on the host and is called by the checks. The grids are in device memory; `c` is not.
void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  // TODO: choose a block and a grid that cover the cells inside the frame, and launch the kernel.
}
