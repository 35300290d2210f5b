// score: 0
// says: with other data
// The host adds up the sums of blocks and passes the total as an argument.
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

__global__ void tell(float* out, float total) { *out = total; }

void reduce_sum(const float* in, float* out, int n) {
  const int blocks = std::min((n + 1023) / 1024, 1024);
  float* parts = nullptr;
  cudaMalloc(&parts, blocks * sizeof(float));
  AddUp<<<blocks, kThreads>>>(in, parts, n);
  std::vector<float> sums(blocks);
  cudaMemcpy(sums.data(), parts, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  float total = 0;
  for (const float sum : sums) total += sum;
  tell<<<1, 1>>>(out, total);
  cudaFree(parts);
}
