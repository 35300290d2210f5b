// Write your matrix product here. HANDOUT.md says how; `make check` grades it.
#include "matmul.h"

// Runs on the device, once for each thread. `a` has m x k elements, `b` k x n, `c` m x n.
__global__ void matmul_kernel(const float* a, const float* b, float* c, int m, int n, int k) {
  // TODO: which element of c does this thread compute, from which row of a and column of b?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  // TODO: choose a block and a grid that cover all of c, and launch the kernel:
  // matmul_kernel<<<grid, block>>>(a, b, c, m, n, k);
}
