// score: 0
// says: __syncthreads()
#include "reduce.h"

// A tree over the whole block, "volatile" instead of barriers.
__global__ void add_up(const float* in, float* out, int n) {
  volatile __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  add_up<<<blocks < 512 ? blocks : 512, 256>>>(in, out, n);
}
