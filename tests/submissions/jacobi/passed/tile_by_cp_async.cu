// score: 100
// A block of 64 x 4 threads fills a tile of 64 x 16 points and their neighbours by cp.async,
// without the corners. Each thread computes four points of a column; the change goes through a tree
// in shared memory, whose last steps are one warp with __syncwarp().
#include <cuda_pipeline.h>

#include <utility>

#include "jacobi.h"

namespace tiles {

constexpr int kX = 64, kY = 16, kRows = 4;
constexpr int kThreads = kX * kRows;

__global__ void Step(const float* u, float* next, int width, int height, int* change) {
  __shared__ float tile[kY + 2][kX + 2];
  __shared__ float changes[kThreads];
  const int across = (width - 1) / kX + 1;
  const int left = blockIdx.x % across * kX - 1;  // tile[0][0] is the point (left, top)
  const int top = blockIdx.x / across * kY;
  for (int r = threadIdx.y; r < kY + 2; r += kRows) {
    const int y = top + r;
    for (int c = threadIdx.x; c < kX + 2; c += kX) {
      const int x = left + c;
      const bool corner = (r == 0 || r == kY + 1) && (c == 0 || c == kX + 1);
      if (x >= 0 && x < width && y < height && !corner) {
        __pipeline_memcpy_async(&tile[r][c], u + static_cast<size_t>(y) * width + x, 4);
      }
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float largest = 0;
#pragma unroll
  for (int k = 0; k < kY / kRows; ++k) {
    const int r = 1 + threadIdx.y + k * kRows, c = 1 + threadIdx.x;
    const int x = left + c, y = top + r;
    if (x > 0 && x < width - 1 && y < height - 1) {
      const float mean = (tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1]) / 4;
      next[static_cast<size_t>(y) * width + x] = mean;
      largest = fmaxf(largest, fabsf(mean - tile[r][c]));
    }
  }
  const int t = threadIdx.y * kX + threadIdx.x;
  changes[t] = largest;
  __syncthreads();
  for (int half = kThreads / 2; half >= 32; half /= 2) {
    if (t < half) changes[t] = fmaxf(changes[t], changes[t + half]);
    __syncthreads();
  }
  if (t < 32) {
    for (int half = 16; half > 0; half /= 2) {
      if (t < half) changes[t] = fmaxf(changes[t], changes[t + half]);
      __syncwarp();
    }
    if (t == 0) atomicMax(change, __float_as_int(changes[0]));
  }
}

}  // namespace tiles

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  using namespace tiles;
  const size_t bytes = sizeof(float) * width * height;
  float* other = nullptr;
  int* change = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&other), bytes);
  cudaMalloc(reinterpret_cast<void**>(&change), sizeof(int));
  cudaMemcpy(other, u, bytes, cudaMemcpyDefault);
  const int blocks = ((width - 1) / kX + 1) * ((height - 2 - 1) / kY + 1);
  float *from = u, *to = other;
  int bits = 0;
  int made = 0;
  const int limit = [&] {
    int as_int;
    static_assert(sizeof(as_int) == sizeof(tolerance));
    __builtin_memcpy(&as_int, &tolerance, sizeof as_int);
    return as_int;
  }();  // changes and tolerance are compared as whole numbers
  do {
    cudaMemset(change, 0, sizeof(int));
    Step<<<blocks, dim3(kX, kRows)>>>(from, to, width, height, change);
    cudaMemcpy(&bits, change, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(from, to);
  } while (++made < max_iterations && bits > limit);
  if (made & 1) cudaMemcpy(u, other, bytes, cudaMemcpyDefault);
  cudaDeviceSynchronize();
  cudaFree(change);
  cudaFree(other);
  *iterations = made;
}
