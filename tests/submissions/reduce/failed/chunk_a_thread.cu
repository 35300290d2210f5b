// score: 85
// Every thread adds up neighbouring elements: neighbouring threads load elements far apart.
#include "reduce.h"

__global__ void reduce_chunks(const float* in, float* out, int n, int chunk) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  size_t first = size_t(blockIdx.x * 256 + t) * chunk;
  float sum = 0;
  for (size_t i = first; i < first + chunk && i < n; ++i) {
    sum += in[i];  // expect: 8 for each needed
  }
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int chunk = n / (1024 * 256) + 1;
  reduce_chunks<<<(n / chunk + 256) / 256, 256>>>(in, out, n, chunk);
}
