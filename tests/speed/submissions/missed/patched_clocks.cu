// Attack: replaces the clocks that a timer could use.
#include <ctime>

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

extern "C" int clock_gettime(clockid_t, struct timespec* time) {
  time->tv_sec = 0;
  time->tv_nsec = 0;
  return 0;
}

extern "C" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) {
  *ms = 0;
  return cudaSuccess;
}

void scale(const float* in, float* out, int count) {
  slow<<<(count + 255) / 256, 256>>>(in, out, count);
}
