// score: 100
// There is no shared memory: a warp has 32 elements, passes them on by shuffles, and stores the 26
// sums for which it has all of them. A fixed grid strides over the array.
#include "stencil.h"

constexpr int kSums = 32 - 2 * kRadius;

__global__ void stencil_shuffles(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int lane = threadIdx.x % 32;
  const int warps = gridDim.x * blockDim.x / 32;
  const int groups = (n + kSums - 1) / kSums;
  for (int group = (blockIdx.x * blockDim.x + threadIdx.x) / 32; group < groups; group += warps) {
    const int i = group * kSums + lane - kRadius;
    const float mine = i >= 0 && i < n ? __ldg(in + i) : 0.0f;
    float sum = mine;
#pragma unroll
    for (int distance = 1; distance <= kRadius; ++distance) {
      sum += __shfl_up_sync(0xFFFFFFFF, mine, distance);
      sum += __shfl_down_sync(0xFFFFFFFF, mine, distance);
    }
    if (lane >= kRadius && lane < 32 - kRadius && i < n) out[i] = sum;
  }
}

void stencil(const float* in, float* out, int n) { stencil_shuffles<<<120, 128>>>(in, out, n); }
