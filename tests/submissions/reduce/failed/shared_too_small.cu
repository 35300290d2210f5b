// score: 0
// says: shared
// The shared array has room for half of the block's sums.
#include "reduce.h"

__global__ void reduce_shared_too_small(const float* in, float* out, int n) {
  __shared__ float sums[128];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_shared_too_small<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
