// score: 100
// The lecture's better version is used in blocks of 512 with one element for each thread. It runs
// again over the partial sums until one is left.
#include "reduce.h"

__global__ void reduce_tree(const float* in, float* out, int n) {
  __shared__ float sums[512];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * 512 + t;
  sums[t] = i < n ? in[i] : 0;
  for (unsigned stride = 256; stride > 0; stride >>= 1) {
    __syncthreads();
    if (t < stride) sums[t] += sums[t + stride];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

void reduce_sum(const float* in, float* out, int n) {
  float* scratch = nullptr;
  int blocks = (n + 511) / 512;
  int half = (blocks + 31) / 32 * 32;  // both halves begin at a sector
  cudaMalloc(&scratch, 2 * half * sizeof(float));
  float* from = scratch;
  float* to = scratch + half;
  reduce_tree<<<blocks, 512>>>(in, blocks == 1 ? out : to, n);
  while (blocks > 1) {
    n = blocks;
    blocks = (n + 511) / 512;
    float* other = from;
    from = to;
    to = other;
    reduce_tree<<<blocks, 512>>>(from, blocks == 1 ? out : to, n);
  }
  cudaFree(scratch);
}
