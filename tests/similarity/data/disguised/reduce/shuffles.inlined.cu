// Warps come first, then the block, then the total.
#include "reduce.h"

__global__ void reduce_shuffles(const float* __restrict__ in, float* out, int n) {
  __shared__ float warps[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += __ldg(&in[i]);
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  reduce_shuffles<<<(n + 1023) / 1024 < 528 ? (n + 1023) / 1024 : 528, 1024>>>(in, out, n);
}
