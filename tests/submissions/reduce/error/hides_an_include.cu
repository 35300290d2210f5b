// score: 0
// says: only compilers may write a line `# number "file"`
// The file claims that an allowed header begins, and includes another header there.
# 1 "/usr/include/stdlib.h" 1 3  // expect: only compilers
#include <cooperative_groups/reduce.h>
# 8 "reduce.cu" 2

#include "reduce.h"

__inline__ __device__ float warp_sum(float value) {
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  return cooperative_groups::reduce(warp, value, cooperative_groups::plus<float>());
}

__global__ void reduce_shuffles(const float* __restrict__ in, float* out, int n) {
  __shared__ float warps[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += __ldg(&in[i]);
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    sum = warp_sum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  int blocks = (n + 1023) / 1024;
  reduce_shuffles<<<blocks < 528 ? blocks : 528, 1024>>>(in, out, n);
}
