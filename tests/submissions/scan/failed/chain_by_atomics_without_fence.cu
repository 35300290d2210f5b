// score: 0
// says: with no __threadfence() between the write and the signal
// One launch moves each number once. A block waits for the flag of the tile before its own, adds
// its sum to that tile's sum, and sets its own flag. Flags and sums are read and written by
// atomics, which nothing orders: there is no fence.
#include "scan.h"

namespace {

constexpr int kThreads = 256;
constexpr int kEach = 8;
constexpr int kTile = kThreads * kEach;

// words[0] has the number of the next tile; the flags of the tiles follow, and their sums.
__global__ void ScanTiles(const int* in, int* out, int* words, int tiles, int n) {
  __shared__ int tile_of_block, before, of_warp[kThreads / 32];
  int* const flags = words + 1;
  int* const sums = flags + tiles;
  if (threadIdx.x == 0) tile_of_block = atomicAdd(words, 1);
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
      while (atomicOr(flags + tile - 1, 0) == 0) {
      }
      before = atomicOr(sums + tile - 1, 0);
    }
    atomicExch(sums + tile, before + all);
    atomicExch(flags + tile, 1);
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
  const int tiles = (n - 1) / kTile + 1;
  int* words;
  cudaMalloc(&words, (2 * tiles + 1) * sizeof(int));
  cudaMemset(words, 0, (2 * tiles + 1) * sizeof(int));
  ScanTiles<<<tiles, kThreads>>>(in, out, words, tiles, n);
  cudaFree(words);
}
