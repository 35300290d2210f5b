// score: 85
// says: bank conflict
// Each thread scans eight neighbouring words of the tile, which lie in few banks.
#include "scan.h"

constexpr int kThreads = 128;
constexpr int kEach = 8;
constexpr int kTile = kThreads * kEach;

__global__ void scan_tiles(const int* in, int* out, int* sums, int n) {
  __shared__ int tile[kTile];
  __shared__ int of_warp[kThreads / 32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int first = blockIdx.x * kTile;
  for (int k = t; k < kTile; k += kThreads) tile[k] = first + k < n ? in[first + k] : 0;
  __syncthreads();
  int own = 0;
  for (int k = 0; k < kEach; ++k) {
    const int number = tile[t * kEach + k];  // expect: bank conflict
    tile[t * kEach + k] = own;
    own += number;
  }
  int sum = own;
  for (int d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(0xffffffff, sum, d);
    if (lane >= d) sum += left;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  int before = sum - own;
  for (int w = 0; w < warp; ++w) before += of_warp[w];
  for (int k = 0; k < kEach; ++k) tile[t * kEach + k] += before;
  __syncthreads();
  for (int k = t; k < kTile; k += kThreads) {
    if (first + k < n) out[first + k] = tile[k];
  }
  if (sums != nullptr && t == kThreads - 1) sums[blockIdx.x] = before + own;
}

__global__ void add_before(int* out, const int* before, int n) {
  const int first = blockIdx.x * kTile;
  for (int k = threadIdx.x; k < kTile; k += kThreads) {
    if (first + k < n) out[first + k] += before[blockIdx.x];
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  int* sums = nullptr;
  if (tiles > 1) cudaMalloc(&sums, 2 * tiles * sizeof(int));
  scan_tiles<<<tiles, kThreads>>>(in, out, sums, n);
  if (tiles == 1) return;
  exclusive_scan(sums, sums + tiles, tiles);
  add_before<<<tiles, kThreads>>>(out, sums + tiles, n);
  cudaFree(sums);
}
