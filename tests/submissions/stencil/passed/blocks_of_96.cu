// score: 100
// A block has three warps; threads near its edges load the halo too.
#include "stencil.h"

template <int kThreads>
__global__ void __launch_bounds__(kThreads) sum_of_seven(const float* in, float* out, int n) {
  static_assert(kThreads >= 2 * kRadius);
  __shared__ float tile[kThreads + 2 * kRadius];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  tile[kRadius + t] = i < n ? in[i] : 0;
  if (t < kRadius) {
    tile[t] = i >= kRadius ? in[i - kRadius] : 0;
    tile[kRadius + kThreads + t] = i + kThreads < n ? in[i + kThreads] : 0;
  }
  __syncthreads();
  if (i < n) {
    float sum = 0;
    for (int distance = -kRadius; distance <= kRadius; ++distance) {
      sum += tile[kRadius + t + distance];
    }
    out[i] = sum;
  }
}

void stencil(const float* in, float* out, int n) {
  sum_of_seven<96><<<(n + 95) / 96, 96>>>(in, out, n);
}
