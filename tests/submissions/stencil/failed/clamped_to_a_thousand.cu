// score: 0
// says: wrong
// Numbers beyond -1000 and 1000 are cut off, although the handout allows larger ones.
#include "stencil.h"

__device__ float cut(float number) { return fminf(fmaxf(number, -1000.0f), 1000.0f); }

__global__ void sum_of_cut_numbers(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int near = i - kRadius; near <= i + kRadius; ++near) {
    if (near >= 0 && near < n) sum += cut(in[near]);
  }
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  sum_of_cut_numbers<<<(n - 1) / 256 + 1, 256>>>(in, out, n);
}
