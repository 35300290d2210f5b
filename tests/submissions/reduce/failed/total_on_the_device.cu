// score: 0
// says: the first call is right, but the 2nd call in the same process is wrong
// The total is kept in a __device__ variable, which is zero in the first call only.
#include "reduce.h"

__device__ float total;

__global__ void reduce_to_total(const float* in, int n) {
  __shared__ float sums[512];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 512 + t; i < n; i += gridDim.x * 512) sum += in[i];
  sums[t] = sum;
  for (int s = 256; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(&total, sums[0]);
}

__global__ void hand_out(float* out) { *out = total; }

void reduce_sum(const float* in, float* out, int n) {
  int blocks = (n + 511) / 512;
  reduce_to_total<<<blocks < 1024 ? blocks : 1024, 512>>>(in, n);
  hand_out<<<1, 1>>>(out);
}
