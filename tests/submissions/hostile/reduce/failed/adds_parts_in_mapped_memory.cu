// score: 0
// says: the kernel must
// The host adds up sums of blocks in mapped memory, and cudaMemcpy copies the total to the result.
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

void reduce_sum(const float* in, float* out, int n) {
  const int blocks = std::min((n + 1023) / 1024, 1024);
  float *parts = nullptr, *on_device = nullptr;
  cudaHostAlloc(&parts, blocks * sizeof(float), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&on_device, parts, 0);
  AddUp<<<blocks, kThreads>>>(in, on_device, n);
  cudaDeviceSynchronize();
  for (int i = 1; i < blocks; ++i) parts[0] += parts[i];
  cudaMemcpy(out, on_device, sizeof(float), cudaMemcpyDefault);
  cudaFreeHost(parts);
}
