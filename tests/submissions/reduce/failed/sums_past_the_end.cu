// score: 90
// says: past the end of the shared variable sums (32 bytes), where numbers lies
// The first warp reads 32 sums, though the block has 8, and keeps 8: the others lie in the next
// array, so that the result is right and no access leaves shared memory.
#include "reduce.h"

__global__ void reduce_sums_past_the_end(const float* in, float* out, int n) {
  __shared__ float sums[8];
  __shared__ float numbers[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  numbers[t] = sum;
  __syncthreads();
  sum = numbers[255 - t];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    float other = sums[t];  // expect: past the end
    sum = t < 8 ? other : 0;
    for (int s = 4; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (t == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_sums_past_the_end<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
