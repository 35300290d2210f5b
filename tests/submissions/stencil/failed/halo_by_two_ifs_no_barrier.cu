// score: 0
// says: no __syncthreads() between
// Two ifs load the halo, and no barrier stands before the sums.
#include "stencil.h"

__global__ void sums(const float* in, float* out, int n) {
  __shared__ float tile[128 + 6];
  int t = threadIdx.x + 3, i = blockIdx.x * 128 + threadIdx.x;
  tile[t] = i < n ? in[i] : 0;
  if (threadIdx.x < 3) {
    tile[t - 3] = i >= 3 && i - 3 < n ? in[i - 3] : 0;
  }
  if (threadIdx.x >= 125) {
    tile[t + 3] = i + 3 < n ? in[i + 3] : 0;
  }
  float sum = tile[t];
  for (int d = 1; d <= 3; ++d) {
    sum += tile[t - d];
    sum += tile[t + d];
  }
  if (i < n) out[i] = sum;
}

void stencil(const float* in, float* out, int n) { sums<<<(n + 127) / 128, 128>>>(in, out, n); }
