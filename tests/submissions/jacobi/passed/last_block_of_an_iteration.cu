// score: 100
// Blocks leave their changes in an array, and the last block to finish finds the largest, by a
// counter that atomicInc sets back to 0 by itself. It writes one float to mapped pinned memory, and
// the host waits for the stream alone. Everything lives in one struct that is kept from call to
// call.
#include <utility>

#include "jacobi.h"

namespace {

constexpr int kThreads = 128;
constexpr int kPointsOfThread = 4;  // a block's width apart

struct Kept {
  float* field = nullptr;
  float* of_blocks = nullptr;
  unsigned* finished = nullptr;
  float* seen = nullptr;    // of the host
  float* mapped = nullptr;  // the same, for the device
  size_t room = 0;
  size_t blocks = 0;
  cudaStream_t stream;

  void Need(size_t bytes, size_t wanted_blocks) {
    if (seen == nullptr) {
      cudaStreamCreate(&stream);
      cudaHostAlloc(&seen, sizeof(float), cudaHostAllocMapped);
      cudaHostGetDevicePointer(&mapped, seen, 0);
      cudaMalloc(&finished, sizeof(unsigned));
      cudaMemset(finished, 0, sizeof(unsigned));
    }
    if (bytes > room) {
      cudaFree(field);
      cudaMalloc(&field, room = bytes);
    }
    if (wanted_blocks > blocks) {
      cudaFree(of_blocks);
      cudaMalloc(&of_blocks, (blocks = wanted_blocks) * sizeof(float));
    }
  }
};

__device__ float LargestOfBlock(float own) {
  __shared__ float warps[kThreads / 32];
  for (int d = 16; d > 0; d >>= 1) own = fmaxf(own, __shfl_down_sync(~0u, own, d));
  if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = own;
  __syncthreads();
  own = warps[0];
#pragma unroll
  for (int w = 1; w < kThreads / 32; ++w) own = fmaxf(own, warps[w]);
  __syncthreads();
  return own;
}

__global__ void Iterate(const float* in, float* out, int width, int height, float* of_blocks,
                        unsigned* finished, float* mapped) {
  __shared__ bool last;
  const size_t first = static_cast<size_t>(blockIdx.x) * kThreads * kPointsOfThread + threadIdx.x;
  const size_t points = static_cast<size_t>(width) * height;
  float own = 0;
#pragma unroll
  for (int k = 0; k < kPointsOfThread; ++k) {
    const size_t i = first + k * kThreads;
    if (i < width || i >= points - width) continue;
    const int x = i % width;
    if (x == 0 || x == width - 1) continue;
    const float mean = .25f * (__ldg(in + i - width) + __ldg(in + i - 1) + __ldg(in + i + 1) +
                               __ldg(in + i + width));
    out[i] = mean;
    own = fmaxf(own, fabsf(__ldg(in + i) - mean));
  }
  own = LargestOfBlock(own);
  if (threadIdx.x == 0) {
    of_blocks[blockIdx.x] = own;
    __threadfence();
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  float all = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads) all = fmaxf(all, __ldcg(of_blocks + b));
  all = LargestOfBlock(all);
  if (threadIdx.x == 0) *mapped = all;
}

}  // namespace

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  static Kept kept;
  const size_t bytes = sizeof(float) * width * height;
  const size_t points = static_cast<size_t>(width) * height;
  const int blocks = static_cast<int>((points - 1) / (kThreads * kPointsOfThread) + 1);
  kept.Need(bytes, blocks);
  cudaMemcpyAsync(kept.field, u, bytes, cudaMemcpyDeviceToDevice, kept.stream);
  float* in = u;
  float* out = kept.field;
  *iterations = 0;
  do {
    Iterate<<<blocks, kThreads, 0, kept.stream>>>(in, out, width, height, kept.of_blocks,
                                                  kept.finished, kept.mapped);
    std::swap(in, out);
    cudaStreamSynchronize(kept.stream);
    ++*iterations;
  } while (*const_cast<volatile float*>(kept.seen) > tolerance && *iterations < max_iterations);
  if (in != u) {
    cudaMemcpyAsync(u, in, bytes, cudaMemcpyDeviceToDevice, kept.stream);
    cudaStreamSynchronize(kept.stream);
  }
}
