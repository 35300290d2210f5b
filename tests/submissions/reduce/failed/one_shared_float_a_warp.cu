// score: 85
// Every element is added to one shared float of its warp, where its 32 lanes take turns.
#include <algorithm>

#include "reduce.h"

__global__ void add_up(const float* in, float* out, int n) {
  __shared__ float sums[8];
  if (threadIdx.x < 8) sums[threadIdx.x] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&sums[threadIdx.x / 32], in[i]);  // expect: wavefronts
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += sums[i];
    atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  add_up<<<std::min((n - 1) / 256 + 1, 256), 256>>>(in, out, n);
}
