// score: 100
// Two arrays in shared memory are used from first to last element, forwards and backwards.
#include "reduce.h"

__global__ void reduce_two_arrays(const float* in, float* out, int n) {
  __shared__ float sums[8];
  __shared__ float numbers[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  numbers[t] = sum;
  __syncthreads();
  sum = numbers[255 - t];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
  if (t % 32 == 0) sums[7 - t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = sums[t % 8];
    for (int s = 4; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (t == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_two_arrays<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
