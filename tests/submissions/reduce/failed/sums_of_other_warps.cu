// score: 0
// says: wrong
// The tree stops at 32 sums, and shuffles add only the first warp's: the others are left out.
#include "reduce.h"

__global__ void reduce_sums_of_other_warps(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 32; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t < 32) {
    sum = sums[t];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (t == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_sums_of_other_warps<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
