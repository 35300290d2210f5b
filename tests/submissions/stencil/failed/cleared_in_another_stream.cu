// score: 0
// says: no stream, event or wait puts one before the other
// One stream clears the result, and another writes it, without an event between them.
#include "stencil.h"

__global__ void sum_all(const float* in, float* out, int n) {
  __shared__ float tile[128 + 2 * kRadius];
  const int first = blockIdx.x * 128;
  for (int i = threadIdx.x; i < 128 + 2 * kRadius; i += 128) {
    const int at = first - kRadius + i;
    tile[i] = at >= 0 && at < n ? in[at] : 0;
  }
  __syncthreads();
  const int element = first + threadIdx.x;
  if (element >= n) return;
  float sum = 0;
  for (int k = 0; k < 2 * kRadius + 1; ++k) sum += tile[threadIdx.x + k];
  out[element] = sum;
}

void stencil(const float* in, float* out, int n) {
  cudaStream_t clears, sums;
  cudaStreamCreate(&clears);
  cudaStreamCreate(&sums);
  cudaMemsetAsync(out, 0, n * sizeof(float), clears);
  sum_all<<<(n + 127) / 128, 128, 0, sums>>>(in, out, n);  // expect: no stream, event or wait puts one before the other
  cudaStreamSynchronize(clears);
  cudaStreamSynchronize(sums);
  cudaStreamDestroy(clears);
  cudaStreamDestroy(sums);
}
