// Write your heat diffusion here. HANDOUT.md says how; `make check` grades it.
#include "heat2d.h"

// Runs on the device, once for each thread: one kernel for each order, by a template parameter.
template <int order>
__global__ void heat_global_kernel(float* next, const float* curr, int gx, int nx, int ny,
                                   float xcfl, float ycfl) {
  // TODO: which interior cell is this thread's? Read its neighbours, write its new temperature.
}

template <int order>
__global__ void heat_shared_kernel(float* next, const float* curr, int gx, int nx, int ny,
                                   float xcfl, float ycfl) {
  // TODO: read the block's tile with its halo into shared memory, wait, then compute from there.
}

// These run on the host. The checks call them, with pointers to device memory.
void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  // TODO: choose a block and a grid that cover the interior, and launch the kernel of this order:
  // if (order == 2) heat_global_kernel<2><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  // TODO
}
