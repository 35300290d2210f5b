// score: 100
// A warp computes 32 x 32 elements. The lanes hold 32 columns of a in registers and pass them
// round by shuffles.
#include "matmul.h"

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  const int lane = threadIdx.x;
  const int across = (n + 31) / 32;
  const int top = static_cast<int>(blockIdx.x) / across * 32;
  const int col = static_cast<int>(blockIdx.x) % across * 32 + lane;
  float sums[32] = {};
  for (int first = 0; first < k; first += 32) {
    float of_a[32];
#pragma unroll
    for (int r = 0; r < 32; ++r) {
      const bool exists = top + r < m && first + lane < k;
      of_a[r] = exists ? __ldg(a + static_cast<size_t>(top + r) * k + first + lane) : 0.0f;
    }
    const int depth = min(32, k - first);
    for (int p = 0; p < depth; ++p) {
      const float of_b = col < n ? b[static_cast<size_t>(first + p) * n + col] : 0.0f;
#pragma unroll
      for (int r = 0; r < 32; ++r) {
        sums[r] = fmaf(__shfl_sync(0xFFFFFFFF, of_a[r], p), of_b, sums[r]);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < 32; ++r) {
    if (top + r < m && col < n) c[static_cast<size_t>(top + r) * n + col] = sums[r];
  }
}

void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  multiply<<<(m + 31) / 32 * ((n + 31) / 32), 32>>>(a, b, c, m, n, k);
}
