// score: 0
// says: before line
// The levels of the down-sweep have no barrier between them. A barrier between two lines of the if
// would not be reached by all threads.
#include "scan.h"

constexpr int kThreads = 256;
constexpr int kTile = 2 * kThreads;

// The place of number i: a word is left out after every 32.
__device__ int padded(int i) { return i + i / 32; }

__global__ void scan_tiles(const int* in, int* out, int* sums, int n) {
  __shared__ int tile[kTile + kTile / 32];
  const int t = threadIdx.x;
  const int first = blockIdx.x * kTile;
  const int a = first + t, b = a + kThreads;
  tile[padded(t)] = a < n ? in[a] : 0;
  tile[padded(t + kThreads)] = b < n ? in[b] : 0;
  int offset = 1;
  for (int d = kThreads; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      const int left = padded(offset * (2 * t + 1) - 1), right = padded(offset * (2 * t + 2) - 1);
      tile[right] += tile[left];
    }
    offset *= 2;
  }
  if (t == 0) {
    if (sums != nullptr) sums[blockIdx.x] = tile[padded(kTile - 1)];
    tile[padded(kTile - 1)] = 0;
  }
  for (int d = 1; d < kTile; d *= 2) {
    offset /= 2;
    if (t < d) {
      const int left = padded(offset * (2 * t + 1) - 1), right = padded(offset * (2 * t + 2) - 1);
      const int old = tile[left];
      tile[left] = tile[right];
      tile[right] += old;
    }
  }
  __syncthreads();
  if (a < n) out[a] = tile[padded(t)];
  if (b < n) out[b] = tile[padded(t + kThreads)];
}

__global__ void add_before(int* out, const int* before, int n) {
  const int i = blockIdx.x * kTile + threadIdx.x;
  for (int k = i; k < i + kTile && k < n; k += kThreads) out[k] += before[blockIdx.x];
}

void exclusive_scan(const int* in, int* out, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  if (tiles == 1) {
    scan_tiles<<<1, kThreads>>>(in, out, nullptr, n);
    return;
  }
  int *sums, *before;
  cudaMalloc(&sums, tiles * sizeof(int));
  cudaMalloc(&before, tiles * sizeof(int));
  scan_tiles<<<tiles, kThreads>>>(in, out, sums, n);
  exclusive_scan(sums, before, tiles);
  add_before<<<tiles, kThreads>>>(out, before, n);
  cudaFree(sums);
  cudaFree(before);
}
