// Warps pass their numbers to the left and to the right.
#include "stencil.h"

#define USED (32 - 2 * kRadius)
#define ALL 0xFFFFFFFFu

__global__ void pass_on(const float* __restrict__ source, float* __restrict__ target, int length) {
  const unsigned warps = gridDim.x * blockDim.x >> 5;
  const unsigned place = threadIdx.x & 31u;
  const int parts = (length + USED - 1) / USED;
  int part = (threadIdx.x + blockDim.x * blockIdx.x) >> 5;
  while (part < parts) {
    const int at = USED * part - kRadius + (int)place;
    float own = 0.0f;
    if (at < length && at >= 0) own = __ldg(&source[at]);
    float total = own;
    total += __shfl_up_sync(ALL, own, 1);
    total += __shfl_down_sync(ALL, own, 1);
    total += __shfl_up_sync(ALL, own, 2);
    total += __shfl_down_sync(ALL, own, 2);
    total += __shfl_up_sync(ALL, own, 3);
    total += __shfl_down_sync(ALL, own, 3);
    const bool writes = place < 32 - kRadius && place >= kRadius;
    if (at < length && writes) target[at] = total;
    part += warps;
  }
}

void stencil(const float* source, float* target, int length) {
  dim3 blocks(120);
  dim3 threads(128);
  pass_on<<<blocks, threads>>>(source, target, length);
}
