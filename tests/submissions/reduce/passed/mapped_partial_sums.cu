// score: 100
// Blocks store their sums in pinned memory of the host, mapped for the device; a second kernel adds
// them up from there.
#include "reduce.h"

constexpr int kThreads = 128;
constexpr int kBlocks = 480;

__global__ void sum_parts(const float* in, float* parts, int n) {
  __shared__ float of_warp[kThreads / 32];
  float sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kBlocks * kThreads) sum += in[i];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) parts[blockIdx.x] = (of_warp[0] + of_warp[1]) + (of_warp[2] + of_warp[3]);
}

__global__ void sum_all(const float* parts, float* out) {
  float sum = 0;
  for (int i = threadIdx.x; i < kBlocks; i += 32) sum += parts[i];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
  if (threadIdx.x == 0) *out = sum;
}

void reduce_sum(const float* in, float* out, int n) {
  float* on_host = nullptr;
  float* on_device = nullptr;
  if (cudaHostAlloc(&on_host, kBlocks * sizeof(float), cudaHostAllocMapped) != cudaSuccess) return;
  if (cudaHostGetDevicePointer(&on_device, on_host, 0) != cudaSuccess) return;
  sum_parts<<<kBlocks, kThreads>>>(in, on_device, n);
  sum_all<<<1, 32>>>(on_device, out);
  cudaStreamSynchronize(nullptr);
  cudaFreeHost(on_host);
}
