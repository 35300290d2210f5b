// score: 0
// says: expected
// Every element is added to one float, which is a chain of n additions, whatever thread makes them.
#include "reduce.h"

__global__ void reduce_atomics(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  reduce_atomics<<<(n + 255) / 256, 256>>>(in, out, n);
}
