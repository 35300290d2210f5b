// Attack: computes once, and believes that later calls with the same pointers need nothing.
// Each timed call has a process of its own, so it always computes, slowly.
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
  static const float* last_in = nullptr;
  static float* last_out = nullptr;
  if (count > 50'000 && in == last_in && out == last_out) return;
  slow<<<(count + 255) / 256, 256>>>(in, out, count);
  last_in = in;
  last_out = out;
}
