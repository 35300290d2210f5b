// score: 100
// Reads a table of constants, a flag of errors and how much memory is free between its kernels, and
// gives up where one of them is wrong.
#include <algorithm>
#include <cstdio>

#include "reduce.h"

constexpr int kThreads = 256;
__constant__ float weights[4] = {1, 1, 1, 1};
__device__ int wrong;

__global__ void AddUp(const float* in, float* out, int n) {
  __shared__ float sums[kThreads];
  if (n < 1) wrong = 1;
  float sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    sum += weights[2] * in[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

void reduce_sum(const float* in, float* out, int n) {
  const int blocks = std::min((n + 1023) / 1024, 1024);
  float* parts = nullptr;
  cudaMalloc(&parts, blocks * sizeof(float));
  AddUp<<<blocks, kThreads>>>(in, parts, n);
  float table[4] = {};
  int flag = 0;
  size_t free_bytes = 0, all_bytes = 0;
  cudaMemcpyFromSymbol(table, weights, sizeof table);
  cudaMemcpyFromSymbol(&flag, wrong, sizeof flag);
  cudaMemGetInfo(&free_bytes, &all_bytes);
  if (table[3] != 1 || flag != 0 || free_bytes == 0) {
    std::printf("something is wrong\n");
  } else {
    AddUp<<<1, kThreads>>>(parts, out, blocks);
  }
  cudaFree(parts);
}
