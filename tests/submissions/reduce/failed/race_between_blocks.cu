// score: 0
// Every block adds its sum to the total without an atomic: two blocks can read the same total, and
// then one sum is lost.
#include "reduce.h"

__global__ void reduce_race_between_blocks(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) *out += sums[0];  // expect: one of the two changes is lost
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_race_between_blocks<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
