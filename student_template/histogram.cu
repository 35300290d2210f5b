// Write your histogram here. HANDOUT.md says how; `make check` grades it.
#include "histogram.h"

// Runs on the device, once for each thread. `bytes` has n elements, `bins` has kBins.
__global__ void histogram_kernel(const unsigned char* bytes, unsigned* bins, int n) {
  // TODO: which bytes does this thread count, and where?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  // TODO: set the bins to zero, choose a block and a grid, and launch the kernel:
  // histogram_kernel<<<grid, block>>>(bytes, bins, n);
}
