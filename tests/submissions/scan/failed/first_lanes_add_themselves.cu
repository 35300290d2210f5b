// score: 0
// says: expected
// Each lane adds what the shuffle returns, also the first lanes, which get their own number back.
#include "scan.h"

constexpr int kThreads = 1024;
constexpr int kRounds = 4;
constexpr int kTile = kThreads * kRounds;

__device__ int scan_warp(int sum) {
  for (int d = 1; d < 32; d *= 2) {
    sum += __shfl_up_sync(0xffffffff, sum, d);
  }
  return sum;
}

__global__ void __launch_bounds__(kThreads) scan_tiles(const int* in, int* out, int* sums, int n) {
  __shared__ int of_warp[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int before = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int i = blockIdx.x * kTile + round * kThreads + threadIdx.x;
    const int own = i < n ? in[i] : 0;
    const int sum = scan_warp(own);
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) of_warp[lane] = scan_warp(of_warp[lane]);
    __syncthreads();
    if (i < n) out[i] = before + (warp > 0 ? of_warp[warp - 1] : 0) + sum - own;
    before += of_warp[31];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = before;
}

__global__ void __launch_bounds__(kThreads) add_before(int* out, const int* sums, int n) {
  __shared__ int before;
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  int sum = 0;
  for (int tile = threadIdx.x; tile < blockIdx.x; tile += kThreads) sum += sums[tile];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(&before, sum);
  __syncthreads();
  for (int round = 0; round < kRounds; ++round) {
    const int i = blockIdx.x * kTile + round * kThreads + threadIdx.x;
    if (i < n) out[i] += before;
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  static int* sums;
  static int room;
  if (tiles > room) {
    cudaFree(sums);
    cudaMalloc(&sums, tiles * sizeof(int));
    room = tiles;
  }
  scan_tiles<<<tiles, kThreads>>>(in, out, sums, n);
  if (tiles > 1) add_before<<<tiles, kThreads>>>(out, sums, n);
}
