// Write your sum here. HANDOUT.md says how; `make check` grades it.
#include "reduce.h"

// Runs on the device, once for each thread.
__global__ void reduce_kernel(const float* in, float* out, int n) {
  // TODO: which elements does this thread add up, and how do the threads combine their sums?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void reduce_sum(const float* in, float* out, int n) {
  // TODO: choose a block and a grid, and launch the kernel. *out is not zero before you set it:
  // reduce_kernel<<<grid, block>>>(in, out, n);
}
