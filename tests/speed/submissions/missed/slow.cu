// Right, but slow.
#include "scale.h"

// Takes many times the instructions that are needed, and gives the right result.
__global__ void slow(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const volatile float* const number = in + i;
  float last = 0;
  for (int round = 0; round < 128; ++round) last = *number;
  out[i] = 2 * last;
}

void scale(const float* in, float* out, int count) {
  slow<<<(count + 255) / 256, 256>>>(in, out, count);
}
