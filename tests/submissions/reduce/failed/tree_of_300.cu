// score: 0
// says: wrong
// The tree halves the block, but 300 is no power of two: sums of odd halves are lost.
#include "reduce.h"

__global__ void reduce_tree_of_300(const float* in, float* out, int n) {
  __shared__ float sums[300];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 300 + t; i < n; i += gridDim.x * 300) sum += in[i];
  sums[t] = sum;
  for (int s = 150; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 299) / 300;
  reduce_tree_of_300<<<blocks < 1024 ? blocks : 1024, 300>>>(in, out, n);
}
