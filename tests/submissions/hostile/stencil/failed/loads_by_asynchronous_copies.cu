// score: 60
// says: sectors moved
// Each element is loaded seven times by asynchronous copies, which are no load requests.
#include <cuda_pipeline.h>

#include "stencil.h"

__global__ void add(const float* in, float* out, int n) {
  __shared__ float terms[2 * kRadius + 1][256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int term = 0; term <= 2 * kRadius; ++term) {
    const int at = i + term - kRadius;
    if (at >= 0 && at < n) {
      __pipeline_memcpy_async(&terms[term][threadIdx.x], in + at, sizeof(float));
    } else {
      terms[term][threadIdx.x] = 0;
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  float sum = 0;
  for (int term = 0; term <= 2 * kRadius; ++term) sum += terms[term][threadIdx.x];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) { add<<<(n + 255) / 256, 256>>>(in, out, n); }
