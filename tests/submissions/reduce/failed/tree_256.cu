// score: 65
// The lecture's better version, in blocks of 256: neighbouring threads add, but the tree is nearly
// all that a thread does. Larger blocks, or a few elements for each thread, bring it above 80 %.
#include "reduce.h"

__global__ void reduce_tree(const float* in, float* out, int n) {
  __shared__ float sums[256];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (t < stride) {
      sums[t] += sums[t + stride];  // expect: lanes active
    }
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  reduce_tree<<<(n + 255) / 256, 256>>>(in, out, n);
}
