// score: 0
// says: budget
// Half of each block waits forever, and the other half waits at a barrier.
#include "transpose.h"

__global__ void deadlock(float* out) {
  if (threadIdx.x < 32) {
    while (reinterpret_cast<volatile float*>(out)[0] != 1.5f) {
    }
  }
  __syncthreads();
  out[threadIdx.x] = 1;
}

void transpose(const float*, float* out, int, int) { deadlock<<<1, 64>>>(out); }
