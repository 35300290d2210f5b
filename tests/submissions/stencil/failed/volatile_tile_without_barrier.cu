// score: 0
// says: no __syncthreads() between
#include "stencil.h"

// The tile is volatile, so that "every thread sees what the others wrote": it does not wait.
__global__ void sum_neighbours(const float* in, float* out, int n) {
  volatile __shared__ float tile[256 + 2 * kRadius];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  tile[t + kRadius] = i < n ? in[i] : 0;
  if (t < kRadius) {
    tile[t] = i >= kRadius && i - kRadius < n ? in[i - kRadius] : 0;
    tile[t + 256 + kRadius] = i + 256 < n ? in[i + 256] : 0;
  }
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < 7; ++j) sum += tile[t + j];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  sum_neighbours<<<(n + 255) / 256, 256>>>(in, out, n);
}
