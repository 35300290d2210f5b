// score: 0
// says: wrong
// A second kernel of one block adds the first 1024 partial sums and ignores the others.
#include "reduce.h"

__global__ void reduce_one_pass_of_partials(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += in[i];
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

__global__ void add_partials(const float* partial, float* out, int n) {
  __shared__ float sums[1024];
  int t = threadIdx.x;
  sums[t] = t < n ? partial[t] : 0;
  for (int s = 512; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) *out = sums[0];
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  float* partial;
  cudaMalloc(&partial, blocks * sizeof(float));
  reduce_one_pass_of_partials<<<blocks, 256>>>(in, partial, n);
  add_partials<<<1, 1024>>>(partial, out, blocks);
  cudaFree(partial);
}
