// score: 100
// Some texts look like comments, and some comments like directives: none hides an #include.
#include <cstdio>
#include "reduce.h"
/*
# 1. Every thread adds up elements that lie a grid apart.
# 2. "Shuffles" add up a warp, /* then a block.
*/

// A line that goes on \
# 3 "in a comment" 1

#if defined(__has_include) && __has_include(<cub/cub.cuh>) /* <it is not needed> */
constexpr char kWhere[] = "/*", kEnd[] = "*/", kQuote = '"', kPath[] = "http://example.org/*";
#endif
constexpr const char* kUsage = R"usage(
#include <cub/cub.cuh>
  # include <cooperative_groups/reduce.h>
# 1 First: "/* sum */"
)" // )usage";
constexpr int kThreads = 1'024;  // don't use more than 1'024

__device__ float sum_of_warp(float sum) {
  for (int i = 16; i > 0; i /= 2) sum += __shfl_down_sync(~0U, sum, i);
  return sum;
}

__global__ void reduce_shuffles(const float* __restrict__ in, float* out, int n) {
  __shared__ float warps[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += in[i];
  }
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    sum = sum_of_warp(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  if (n < 0) std::printf("%s%s%c%s%s", kUsage, kWhere, kQuote, kPath, kEnd);
  cudaMemset(out, 0, sizeof(float));
  const int blocks = (n + kThreads - 1) / kThreads;
  reduce_shuffles<<<blocks < 528 ? blocks : 528, kThreads>>>(in, out, n);
}
