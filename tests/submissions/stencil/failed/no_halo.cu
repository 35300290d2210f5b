// score: 0
// says: wrong
// The tile has no halo: at the edges of a block, neighbours count as 0.
#include "stencil.h"

__global__ void stencil_no_halo(const float* in, float* out, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int j = -kRadius; j <= kRadius; ++j) {
    int k = (int)threadIdx.x + j;
    if (k >= 0 && k < 256) sum += tile[k];
  }
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  stencil_no_halo<<<(n + 255) / 256, 256>>>(in, out, n);
}
