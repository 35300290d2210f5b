// score: 0
// says: with other data
// Kernels leave the sums of blocks in managed memory; the host adds them, and a kernel reads the
// total.
#include <algorithm>
#include <cstring>
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

__global__ void tell(float* out, const float* total) { *out = *total; }

void reduce_sum(const float* in, float* out, int n) {
  const int blocks = std::min((n + 1023) / 1024, 1024);
  float* parts = nullptr;
  cudaMallocManaged(&parts, (blocks + 1) * sizeof(float));
  AddUp<<<blocks, kThreads>>>(in, parts, n);
  cudaDeviceSynchronize();
  parts[blocks] = 0;
  for (int i = 0; i < blocks; ++i) parts[blocks] += parts[i];
  tell<<<1, 1>>>(out, parts + blocks);
  cudaDeviceSynchronize();
  cudaFree(parts);
}
