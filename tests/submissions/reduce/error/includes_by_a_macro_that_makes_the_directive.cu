// score: 0
// says: a macro makes a line that begins with `#`
// The preprocessor passes it on, and the compiler behind it includes the header.
#include <cooperative_groups.h>

#define HASH #
HASH include "/usr/include/stdc-predef.h"  // expect: a macro makes

template <typename Warp>
__device__ float sum_of(const Warp& warp, float sum) {
  for (int i = 16; i > 0; i /= 2) sum += warp.shfl_down(sum, i);
  return sum;
}

__global__ void reduce_shuffles(const float* __restrict__ in, float* out, int n) {
  __shared__ float warps[32];
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += in[i];
  }
  sum = sum_of(warp, sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    sum = sum_of(warp, sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  const int blocks = (n + 1023) / 1024;
  reduce_shuffles<<<blocks < 528 ? blocks : 528, 1024>>>(in, out, n);
}
