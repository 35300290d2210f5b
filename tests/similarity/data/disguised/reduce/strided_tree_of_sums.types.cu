// All indices are long.
#include "reduce.h"

__global__ void reduce_strided(const float* in, float* out, int n) {
  __shared__ float sums[256];
  const size_t t = threadIdx.x;
  float sum = 0.0f;
  for (long long i = (long long)blockIdx.x * 256 + t; i < (long long)n; i += (long long)gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (size_t stride = 1; stride < 256; stride *= 2) {
    __syncthreads();
    size_t i = 2 * stride * t;
    if (i < 256) {
      sums[i] += sums[i + stride];
    }
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  const unsigned blocks = ((unsigned)n + 255u) / 256u;
  reduce_strided<<<blocks < 1024u ? blocks : 1024u, 256>>>(in, out, n);
}
