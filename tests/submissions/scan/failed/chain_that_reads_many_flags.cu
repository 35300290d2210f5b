// score: 0
// says: with no __threadfence() between the write and the signal
// As in chain_without_fence.cu, there is no fence between a sum and its flag. After this flag a
// block reads 40 marks of the tile before. Another flag, which comes after a fence, has told of
// them.
#include "scan.h"

namespace {

constexpr int kThreads = 256;
constexpr int kEach = 8;
constexpr int kTile = kThreads * kEach;
constexpr int kMarks = 40;

// words[0] has the number of the next tile. The flags of the tiles follow, their sums, the flags of
// their marks, and the marks.
__global__ void ScanTiles(const int* in, int* out, volatile int* words, int tiles, int n) {
  __shared__ int tile_of_block, before, of_warp[kThreads / 32];
  volatile int* const flags = words + 1;
  volatile int* const sums = flags + tiles;
  volatile int* const flags_of_marks = sums + tiles;
  volatile int* const marks = flags_of_marks + tiles;
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
    for (int i = 0; i < kMarks; ++i) marks[tile * kMarks + i] = i;
    __threadfence();
    flags_of_marks[tile] = 1;
    before = 0;
    if (tile > 0) {
      while (flags_of_marks[tile - 1] == 0) {
      }
      __threadfence();
      while (flags[tile - 1] == 0) {
      }
      __threadfence();
      int seen = 0;
      for (int i = 0; i < kMarks; ++i) seen += marks[(tile - 1) * kMarks + i];
      before = seen > 0 ? sums[tile - 1] : 0;
    }
    sums[tile] = before + all;
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
  const int tiles = (n - 1) / kTile + 1;
  int* words;
  cudaMalloc(&words, ((3 + kMarks) * tiles + 1) * sizeof(int));
  cudaMemset(words, 0, ((3 + kMarks) * tiles + 1) * sizeof(int));
  ScanTiles<<<tiles, kThreads>>>(in, out, words, tiles, n);
  cudaFree(words);
}
