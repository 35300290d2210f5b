// score: 0
// says: no pipe.consumer_wait() between
// The threads use the tile without waiting for the pipeline that copies it.
#include <cuda/pipeline>

#include "stencil.h"

__global__ void sums(const float* in, float* out, int n) {
  __shared__ float tile[256 + 6];
  auto pipe = cuda::make_pipeline();
  int first = blockIdx.x * 256 - 3;
  pipe.producer_acquire();
  for (int i = threadIdx.x; i < 262; i += 256) {
    if (first + i >= 0 && first + i < n) {
      cuda::memcpy_async(&tile[i], &in[first + i], sizeof(float), pipe);
    } else {
      tile[i] = 0;
    }
  }
  pipe.producer_commit();
  __syncthreads();
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int j = 0; j < 7; ++j) sum += tile[threadIdx.x + j];  // expect: no pipe.consumer_wait()
    out[i] = sum;
  }
}

void stencil(const float* in, float* out, int n) { sums<<<(n + 255) / 256, 256>>>(in, out, n); }
