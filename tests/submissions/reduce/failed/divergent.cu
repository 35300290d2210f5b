// score: 65
// Every second, fourth, eighth thread adds, so that all warps stay at work with few of their
// lanes.
#include "reduce.h"

__global__ void reduce_divergent(const float* in, float* out, int n) {
  __shared__ float sums[256];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) {
      sums[t] += sums[t + stride];  // expect: of 32 lanes active
    }
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  reduce_divergent<<<(n + 255) / 256, 256>>>(in, out, n);
}
