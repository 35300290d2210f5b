// score: 0
// says: as read-only data, which this launch writes at line 27
// The block that finishes last adds up the partial sums of all, with the fences that this needs.
// But it loads them as read-only data, and that cache may have what was there before the launch.
#include "reduce.h"

__device__ float partial[1024];
__device__ unsigned finished;

__global__ void reduce_last_block(const float* in, float* out, int n) {
  __shared__ float sums[512];
  __shared__ bool last;
  int t = threadIdx.x;
  double sum = 0;
  for (int i = blockIdx.x * 512 + t; i < n; i += gridDim.x * 512) sum += in[i];
  for (int round = 0; round < 2; ++round) {
    sums[t] = static_cast<float>(sum);
    for (int s = 256; s > 0; s >>= 1) {
      __syncthreads();
      if (t < s) sums[t] += sums[t + s];
    }
    if (round == 1) {
      if (t == 0) *out = sums[0];
      return;
    }
    if (t == 0) {
      partial[blockIdx.x] = sums[0];
      __threadfence();
      last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = 0;
    for (int i = t; i < gridDim.x; i += 512) sum += __ldg(&partial[i]);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  int blocks = min((n + 511) / 512, 1024);
  reduce_last_block<<<blocks, 512>>>(in, out, n);
}
