// score: 0
// says: cudaMalloc (line 
// cudaMalloc is given the number of blocks instead of bytes.
#include "reduce.h"

__global__ void add_parts(const float* in, float* parts, int n) {
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  __shared__ float warps[8];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) sum += warps[w];
    parts[blockIdx.x] = sum;  // expect: past the end
  }
}

__global__ void add_all(const float* parts, float* out, int count) {
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += 32) sum += parts[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x == 0) *out = sum;
}

void reduce_sum(const float* in, float* out, int n) {
  const int blocks = (n + 2047) / 2048;
  float* parts;
  cudaMalloc(&parts, blocks);
  add_parts<<<blocks, 256>>>(in, parts, n);
  add_all<<<1, 32>>>(parts, out, blocks);
  cudaFree(parts);
}
