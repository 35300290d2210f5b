// score: 100
// One cooperative launch makes all iterations, but the barrier of the grid is our own: a counter
// that only grows, with cuda::atomic_ref. The device counts the iterations. Three changes take
// turns, so that one can be set back while another one is read.
#include <cuda/atomic>

#include "jacobi.h"

#include <algorithm>

constexpr int kThreads = 256;

struct Shared {
  unsigned arrived;
  int iterations;
  unsigned changes[3];
};

template <class T>
using Device = cuda::atomic_ref<T, cuda::thread_scope_device>;

__device__ void wait_for_all(Shared* shared, unsigned& target) {
  __syncthreads();
  target += gridDim.x;
  if (threadIdx.x == 0) {
    Device<unsigned> arrived(shared->arrived);
    arrived.fetch_add(1, cuda::memory_order_acq_rel);
    while (arrived.load(cuda::memory_order_acquire) < target) {
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    solve(float* u, float* other, int width, int height, float tolerance, int most, Shared* shared) {
  __shared__ unsigned of_block;
  __shared__ unsigned of_all;
  unsigned target = 0;
  float* from = u;
  float* to = other;
  int done = 0;
  while (true) {
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    float change = 0;
    for (int y = 1 + blockIdx.x; y < height - 1; y += gridDim.x) {
      const size_t row = static_cast<size_t>(y) * width;
      for (int x = threadIdx.x; x < width - 1; x += kThreads) {
        if (x == 0) continue;
        const float mean =
            ((from[row + x - 1] + from[row + x + 1]) + (from[row + x - width] + from[row + x + width])) *
            0.25f;
        to[row + x] = mean;
        change = max(change, abs(mean - from[row + x]));
      }
    }
    for (int d = 1; d < 32; d *= 2) change = max(change, __shfl_xor_sync(0xffffffffu, change, d));
    if (threadIdx.x % 32 == 0) atomicMax(&of_block, __float_as_uint(change));
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&shared->changes[done % 3], of_block);
    wait_for_all(shared, target);
    if (threadIdx.x == 0) {
      of_all = Device<unsigned>(shared->changes[done % 3]).load(cuda::memory_order_relaxed);
      // Everybody has read the number of the iteration before: it is free for the one after next.
      if (blockIdx.x == 0) {
        Device<unsigned>(shared->changes[(done + 2) % 3]).store(0, cuda::memory_order_relaxed);
      }
    }
    __syncthreads();
    ++done;
    float* const old = from;
    from = to;
    to = old;
    if (__uint_as_float(of_all) <= tolerance || done == most) break;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) shared->iterations = done;
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  float* other = nullptr;
  Shared* shared = nullptr;
  cudaMalloc(&other, bytes);
  cudaMalloc(&shared, sizeof(Shared));
  cudaMemset(shared, 0, sizeof(Shared));
  cudaMemcpy(other, u, bytes, cudaMemcpyDeviceToDevice);
  int processors = 0, each = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, solve, kThreads, 0);
  const int blocks = std::min(std::min(processors * each, height - 2), 64);
  void* arguments[] = {&u, &other, &width, &height, &tolerance, &max_iterations, &shared};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(solve), dim3(blocks), dim3(kThreads),
                              arguments, 0, 0);
  cudaMemcpy(iterations, &shared->iterations, sizeof(int), cudaMemcpyDeviceToHost);
  if (*iterations % 2 == 1) cudaMemcpy(u, other, bytes, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  cudaFree(shared);
  cudaFree(other);
}
