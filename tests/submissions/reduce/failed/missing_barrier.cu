// score: 0
// A warp adds elements that the other warps have not stored yet.
#include "reduce.h"

__global__ void reduce_missing_barrier(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];  // expect: no __syncthreads() between
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_missing_barrier<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
