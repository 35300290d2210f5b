// score: 0
// says: 2048
// A block of 2048 threads is too large.
#include "reduce.h"

__global__ void reduce_block_of_2048(const float* in, float* out, int n) {
  __shared__ float sums[2048];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 2048 + t; i < n; i += gridDim.x * 2048) sum += in[i];
  sums[t] = sum;
  for (int s = 1024; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 2047) / 2048;
  reduce_block_of_2048<<<blocks < 1024 ? blocks : 1024, 2048>>>(in, out, n);
}
