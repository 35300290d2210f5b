// score: 65
// The lanes of a warp take turns at a float of shared memory of their own warp, one in each step.
#include <algorithm>

#include "reduce.h"

__global__ void add_up(const float* in, float* out, int n) {
  __shared__ float sums[8];
  volatile float* mine = &sums[threadIdx.x / 32];
  if (threadIdx.x % 32 == 0) *mine = 0;
  __syncwarp();
  for (size_t base = blockIdx.x * 256; base < n; base += gridDim.x * 256) {
    size_t i = base + threadIdx.x;
    float value = i < n ? in[i] : 0;
    for (int lane = 0; lane < 32; ++lane) {
      if (threadIdx.x % 32 == lane) *mine = *mine + value;  // expect: lanes idle
      __syncwarp();
    }
  }
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
