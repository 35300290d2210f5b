// score: 0
// says: no barrier.wait(token) between
// The threads arrive at the barrier of the copy and never wait for its token.
#include <cuda/barrier>

#include "stencil.h"

__global__ void sums(const float* in, float* out, int n) {
  __shared__ float tile[256 + 6];
  __shared__ cuda::barrier<cuda::thread_scope_block> filled;
  if (threadIdx.x == 0) init(&filled, 256);
  __syncthreads();
  int first = blockIdx.x * 256 - 3;
  for (int i = threadIdx.x; i < 262; i += 256) {
    if (first + i >= 0 && first + i < n) {
      cuda::memcpy_async(&tile[i], &in[first + i], sizeof(float), filled);
    } else {
      tile[i] = 0;
    }
  }
  auto token = filled.arrive();
  __syncthreads();
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < 7; ++j) sum += tile[threadIdx.x + j];  // expect: no barrier.wait(token)
    out[i] = sum;
  }
}

void stencil(const float* in, float* out, int n) { sums<<<(n + 255) / 256, 256>>>(in, out, n); }
