// Write your function here. HANDOUT.md says how; `make check` grades it.
#include "jacobi.h"

// Runs on the device, once for each thread. It makes one iteration from `u` to `next`.
__global__ void iterate(const float* u, float* next, int width, int height) {
  // TODO: which point does this thread compute, and is it one of the edge?
  // TODO: how large is its change, and how do all threads find the largest one?
}

// Runs on the host and is called by the checks. `u` is in memory of the device, `iterations` in
// memory of the host.
void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  // TODO: launch the kernel, again and again: iterate<<<grid, block>>>(...);
  // TODO: when does this end, and where is the field then?
}
