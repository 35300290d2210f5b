// score: 100
// The program does more than the work: it measures time by events, uses pinned memory, and prints
// partial sums after the last launch.
#include <cstdio>

#include "reduce.h"

__global__ void looks_on_sum(const float* in, float* sums, int n) {
  const int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum += in[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(~0U, sum, lanes);
  __shared__ float warps[8];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < 8; ++warp) sum += warps[warp];
  sums[blockIdx.x] = sum;
}

void reduce_sum(const float* in, float* out, int n) {
  constexpr int kBlocks = 512;
  float *sums = nullptr, *shown = nullptr;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  cudaMallocHost(&shown, kBlocks * sizeof(float));
  cudaMalloc(&sums, kBlocks * sizeof(float));
  cudaStreamCreate(&stream);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, stream);
  looks_on_sum<<<kBlocks, 256, 0, stream>>>(in, sums, n);
  looks_on_sum<<<1, 256, 0, stream>>>(sums, out, kBlocks);
  cudaEventRecord(end, stream);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  cudaMemcpy(shown, sums, kBlocks * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d elements, %s; block 0: %f\n", n, milliseconds < 0 ? "before it began" : "timed", shown[0]);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
  cudaFree(sums);
  cudaFreeHost(shown);
}
