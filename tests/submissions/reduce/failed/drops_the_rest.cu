// score: 0
// says: wrong
// The grid has n / 256 blocks, and each thread adds one element: the elements after the last whole
// block are missing.
#include "reduce.h"

__global__ void reduce_drops_the_rest(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  int i = blockIdx.x * 256 + t;
  if (i < n) sum = in[i];
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = n / 256 > 0 ? n / 256 : 1;
  reduce_drops_the_rest<<<blocks, 256>>>(in, out, n);
}
