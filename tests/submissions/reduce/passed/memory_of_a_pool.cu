// score: 100
// The memory comes from the default pool, in the order of a stream; the program asks for attributes
// of its pointers, and prints a part of its sums.
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
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* parts = nullptr;
  cudaMallocAsync(&parts, blocks * sizeof(float), stream);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, parts);
  AddUp<<<blocks, kThreads, 0, stream>>>(in, parts, n);
  float some[2] = {};
  cudaMemcpyAsync(some, parts, std::min(blocks, 2) * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  if (n == 4097) std::printf("on device %d: %f %f\n", attributes.device, some[0], some[1]);
  AddUp<<<1, kThreads, 0, stream>>>(parts, out, blocks);
  cudaFreeAsync(parts, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
