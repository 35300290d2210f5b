// score: 65
// The tree diverges, and ten accesses of full warps stand beside each of its own.
#include "reduce.h"

__global__ void reduce_diluted(const float* in, float* out, int n) {
  __shared__ float sums[256];
  __shared__ float dummies[256];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  volatile float* dummy = dummies + t;
  sums[t] = i < n ? in[i] : 0;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    for (int d = 0; d < 10; ++d) *dummy = 0; if (t % (2 * stride) == 0) sums[t] += sums[t + stride];  // expect: lanes active
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  reduce_diluted<<<(n + 255) / 256, 256>>>(in, out, n);
}
