// Write your scan here. HANDOUT.md says how; `make check` grades it.
#include "scan.h"

// Runs on the device, once for each thread. Both arrays have n elements.
__global__ void scan_kernel(const int* in, int* out, int n) {
  // TODO: which numbers does this block scan, and where does the sum of all numbers before them
  // come from?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void exclusive_scan(const int* in, int* out, int n) {
  // TODO: choose blocks and grids, and launch one kernel or several:
  // scan_kernel<<<grid, block>>>(in, out, n);
}
