// score: 85
// says: 8 for each needed
#include <cooperative_groups.h>

#include <algorithm>

#include "reduce.h"

namespace cg = cooperative_groups;

// The blocks write their sums, the grid waits, and one thread adds the sums up.
__global__ void add_up(const float* in, float* parts, float* out, int n) {
  cg::grid_group grid = cg::this_grid();
  float sum = 0;
  int threads = gridDim.x * 128, each = (n + threads - 1) / threads;
  int first = (blockIdx.x * 128 + threadIdx.x) * each;
  for (int i = first; i < first + each && i < n; ++i) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  __shared__ float warps[4];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
  grid.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    float total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += parts[b];
    *out = total;
  }
}

void reduce_sum(const float* in, float* out, int n) {
  int blocks = std::min((n + 127) / 128, 256);
  float* parts;
  cudaMalloc(&parts, blocks * sizeof(float));
  void* arguments[] = {&in, &parts, &out, &n};
  cudaLaunchCooperativeKernel((void*)add_up, blocks, 128, arguments, 0, nullptr);
  cudaFree(parts);
}
