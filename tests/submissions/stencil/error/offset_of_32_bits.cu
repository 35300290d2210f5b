// score: 0
// says: often an int that has overflowed
// The kernel gets one pointer and the distance of the other one from it, in 32 bits. Arrays may lie
// farther apart.
#include "stencil.h"

__global__ void offset_of_32_bits(float* out, int to_input, int n) {
  const float* in = out + to_input;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (long long near = i - kRadius; near <= i + kRadius; ++near) {
    if (near >= 0 && near < n) sum += in[near];
  }
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  offset_of_32_bits<<<(n - 1) / 256 + 1, 256>>>(out, static_cast<int>(in - out), n);
}
