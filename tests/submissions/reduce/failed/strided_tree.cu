// score: 85
// The first threads add, but elements 2, 4, 8 words apart, so 2, 4, 8 of them share a bank.
#include "reduce.h"

__global__ void reduce_strided(const float* in, float* out, int n) {
  __shared__ float sums[512];
  unsigned t = threadIdx.x;
  unsigned first = blockIdx.x * 1024 + t;
  float sum = first < n ? in[first] : 0;
  if (first + 512 < n) sum += in[first + 512];
  sums[t] = sum;
  for (unsigned stride = 1; stride < 512; stride *= 2) {
    __syncthreads();
    unsigned i = 2 * stride * t;
    if (i < 512) {
      sums[i] += sums[i + stride];  // expect: bank conflict
    }
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  reduce_strided<<<(n + 1023) / 1024, 512>>>(in, out, n);
}
