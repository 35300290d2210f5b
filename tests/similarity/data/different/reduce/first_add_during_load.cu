// Each thread adds two elements while loading. Then a tree follows, whose last warp shuffles.
#include "reduce.h"

const unsigned BLOCK = 256;

__global__ void sum_kernel(const float* data, float* result, unsigned n) {
  __shared__ float cache[BLOCK];
  unsigned id = threadIdx.x;
  unsigned pos = blockIdx.x * (2 * BLOCK) + id;
  float v = 0;
  while (pos < n) {
    v += data[pos];
    if (pos + BLOCK < n) v += data[pos + BLOCK];
    pos += gridDim.x * 2 * BLOCK;
  }
  cache[id] = v;
  __syncthreads();
  if (id < 128) cache[id] = v = v + cache[id + 128];
  __syncthreads();
  if (id < 64) cache[id] = v = v + cache[id + 64];
  __syncthreads();
  if (id < 32) {
    v += cache[id + 32];
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    if (id == 0) atomicAdd(result, v);
  }
}

void reduce_sum(const float* data, float* result, int n) {
  cudaMemset(result, 0, sizeof(float));
  unsigned grid = (n + 2 * BLOCK - 1) / (2 * BLOCK);
  if (grid > 512) grid = 512;
  sum_kernel<<<grid, BLOCK>>>(data, result, n);
}
