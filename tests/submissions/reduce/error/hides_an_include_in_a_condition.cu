// score: 0
// says: only compilers may write a line `# number "file"`
// What looks like a comment is the name of a header in a __has_include condition.
#define HAS __has_include
#if HAS(</*>)
#endif
# 1 "/usr/include/stdlib.h" 1 3  // expect: only compilers
#include <cooperative_groups/reduce.h>
# 8 "reduce.cu" 2
#if HAS(<*/>)
#endif

#include "reduce.h"

__global__ void reduce_shuffles(const float* __restrict__ in, float* out, int n) {
  __shared__ float warps[32];
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += in[i];
  }
  sum = cooperative_groups::reduce(warp, sum, cooperative_groups::plus<float>());
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    sum = cooperative_groups::reduce(warp, sum, cooperative_groups::plus<float>());
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  const int blocks = (n + 1023) / 1024;
  reduce_shuffles<<<blocks < 528 ? blocks : 528, 1024>>>(in, out, n);
}
