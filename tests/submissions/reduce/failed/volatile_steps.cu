// score: 0
// The last steps of the tree use volatile and assume that a warp runs in step, as before Volta.
#include "reduce.h"

__global__ void reduce_volatile_steps(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 32; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  __syncthreads();
  if (t < 32) {
    volatile float* v = sums;
    v[t] += v[t + 32];
    v[t] += v[t + 16];  // expect: volatile does not order the lanes of a warp
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_volatile_steps<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
