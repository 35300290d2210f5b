// score: 65
// says: lanes active
// Four lanes of each warp copy all elements to shared memory, 16 bytes at a time, and 28 wait.
#include <cuda_pipeline.h>

#include <algorithm>

#include "reduce.h"

constexpr int kThreads = 256;
constexpr int kEach = 128;  // elements of a warp and round
constexpr int kPiece = kThreads / 32 * kEach;

__global__ void AddUp(const float* in, float* out, int n) {
  __shared__ __align__(16) float piece[kPiece];
  __shared__ float sums[kThreads / 32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  float sum = 0;
  for (int first = blockIdx.x * kPiece; first + kPiece <= n; first += gridDim.x * kPiece) {
    if (lane < 4) {
      for (int i = warp * kEach + lane * 4; i < (warp + 1) * kEach; i += 16) {
        __pipeline_memcpy_async(piece + i, in + first + i, 16);
      }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < kPiece; i += kThreads) sum += piece[i];
    __syncthreads();
  }
  if (blockIdx.x == 0) {
    for (int i = n / kPiece * kPiece + t; i < n; i += kThreads) sum += in[i];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp != 0) return;
  sum = lane < kThreads / 32 ? sums[lane] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
  if (lane == 0) atomicAdd(out, sum);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  AddUp<<<std::clamp(n / kPiece, 1, 512), kThreads>>>(in, out, n);
}
