// score: 0
// The kernel has one barrier before the tree and none between its steps.
#include "reduce.h"

__global__ void reduce_barrier_before_the_tree(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];  // expect: no __syncthreads() between
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_barrier_before_the_tree<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
