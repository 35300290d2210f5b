// score: 0
// The last step of the second round adds up the sums of 8 warps, and begins as for 32 of them: its
// lanes read others that their mask does not name.
#include "reduce.h"

__global__ void reduce_shuffles_half_a_warp(const float* in, float* out, int n) {
  __shared__ float sums[8];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffff, sum, s);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t < 8) {
    sum = sums[t];
    for (int s = 16; s > 0; s >>= 1) {
      sum += __shfl_down_sync(0x000000ff, sum, s);  // expect: which is not in the mask
    }
    if (t == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_shuffles_half_a_warp<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
