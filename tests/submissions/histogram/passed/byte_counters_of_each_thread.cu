// score: 100
// Each thread has all 256 counters for itself, of 8 bits each, four in a word. Its 64 words lie in
// the bank of its lane, so that nobody else ever touches them. Before one can overflow, after 240
// bytes, the block adds all of them up, in registers, and clears them.
#include "histogram.h"

constexpr int kThreads = 128;
constexpr int kWords = kBins / 4;
constexpr int kUntilFull = 15;  // vectors of 16 bytes

// Word w of thread t is [t / 32][w][t % 32].
using Counters = unsigned[kThreads / 32][kWords][32];

struct Pair {
  unsigned even, odd;  // two sums of 16 bits each
};

// Thread t adds up the bins 2t and 2t + 1 of all threads: half a word.
__device__ void empty(Counters& counters, unsigned& low, unsigned& high) {
  __syncthreads();
  const int w = threadIdx.x / 2;
  const int shift = threadIdx.x % 2 * 16;
  for (int warp = 0; warp < kThreads / 32; ++warp) {
    for (int k = 0; k < 32; ++k) {
      const unsigned word = counters[warp][w][(k + w) % 32] >> shift;
      low += word & 0xff;
      high += word >> 8 & 0xff;
    }
  }
  __syncthreads();
  for (int i = 0; i < kWords; ++i) counters[threadIdx.x / 32][i][threadIdx.x % 32] = 0;
}

__global__ void __launch_bounds__(kThreads)
    count(const uint4* vectors, const unsigned char* rest, unsigned* bins, int whole, int left) {
  __shared__ Counters counters;
  unsigned(*const mine)[32] = counters[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  const auto add = [&](unsigned byte) {
    atomicAdd(&mine[byte / 4][lane], 1u << byte % 4 * 8);
  };
  for (int i = 0; i < kWords; ++i) mine[i][lane] = 0;

  unsigned low = 0, high = 0;
  // All threads of the block make the same number of rounds, because they empty together.
  const int stride = gridDim.x * kThreads;
  int held = 0;
  for (int first = blockIdx.x * kThreads; first < whole; first += stride) {
    const int i = first + threadIdx.x;
    if (i < whole) {
      const uint4 v = vectors[i];
      const unsigned words[] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int k = 0; k < 16; ++k) add(words[k / 4] >> k % 4 * 8 & 0xff);
    }
    if (++held == kUntilFull) {
      empty(counters, low, high);
      held = 0;
    }
  }
  if (blockIdx.x == gridDim.x - 1 && left > 0) {
    if (threadIdx.x < left) add(rest[threadIdx.x]);
    held = 1;
  }
  if (held > 0) empty(counters, low, high);
  if (low != 0) atomicAdd(&bins[2 * threadIdx.x], low);
  if (high != 0) atomicAdd(&bins[2 * threadIdx.x + 1], high);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemsetAsync(bins, 0, kBins * sizeof(unsigned), 0);
  const int whole = n / 16;
  int blocks = (whole + kThreads * kUntilFull - 1) / (kThreads * kUntilFull);
  if (blocks < 1) blocks = 1;
  if (blocks > 264) blocks = 264;
  count<<<blocks, kThreads>>>(reinterpret_cast<const uint4*>(bytes), bytes + whole * 16, bins,
                              whole, n % 16);
}
