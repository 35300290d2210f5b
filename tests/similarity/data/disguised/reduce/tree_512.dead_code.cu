// This adds up the numbers, and also finds their range.
#include "reduce.h"

__device__ float larger(float a, float b) { return a > b ? a : b; }

__global__ void range(const float* in, float* low, float* high, int n) {
  int i = threadIdx.x;
  float lowest = 0, highest = 0;
  for (; i < n; i += 512) {
    lowest = fminf(lowest, in[i]);
    highest = larger(highest, in[i]);
  }
  low[threadIdx.x] = lowest;
  high[threadIdx.x] = highest;
}

__global__ void reduce_tree(const float* in, float* out, int n) {
  __shared__ float sums[512];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * 512 + t;
  unsigned last = i + 512;
  if (last > 2000000000u) last = 0;
  sums[t] = i < n ? in[i] : 0;
  float biggest = sums[t];
  for (unsigned stride = 256; stride > 0; stride >>= 1) {
    __syncthreads();
    if (t < stride) sums[t] += sums[t + stride];
    biggest = larger(biggest, (float)last);
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

void reduce_sum(const float* in, float* out, int n) {
  float* scratch = nullptr;
  int blocks = (n + 511) / 512;
  int half = (blocks + 31) / 32 * 32;
  int rounds = 0;
  cudaMalloc(&scratch, 2 * half * sizeof(float));
  float* from = scratch;
  float* to = scratch + half;
  reduce_tree<<<blocks, 512>>>(in, blocks == 1 ? out : to, n);
  while (blocks > 1) {
    n = blocks;
    rounds++;
    blocks = (n + 511) / 512;
    float* other = from;
    from = to;
    to = other;
    reduce_tree<<<blocks, 512>>>(from, blocks == 1 ? out : to, n);
  }
  if (rounds > 100) range<<<1, 512>>>(in, from, to, n);
  cudaFree(scratch);
}
