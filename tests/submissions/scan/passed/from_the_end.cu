// score: 100
// Everything runs backwards: each tile is scanned from its last number to its first by
// __shfl_down_sync, which gives the sum from a number to the end of the tile. What lies before a
// number is the sum up to the end of the tile, less that. Block 0 has the last tile, a warp takes
// its rows from the last one to the first, and lanes count down.
#include "scan.h"

namespace backwards {

constexpr int kRows = 32;
constexpr int kTile = 1024;  // of a warp

__device__ int FromHere(int number) {
  const int lane = threadIdx.x % warpSize;
  for (int d = 1; d < 32; d <<= 1) {
    const int right = __shfl_down_sync(0xffffffffu, number, d);
    if (lane + d < 32) number += right;
  }
  return number;
}

__global__ void SumTiles(const int* in, int* sums, int n, int tiles) {
  const int tile = tiles - 1 - (blockIdx.x * blockDim.y + threadIdx.y);
  if (tile < 0) return;
  int sum = 0;
  for (int row = kRows - 1; row >= 0; --row) {
    const long long i = static_cast<long long>(tile) * kTile + row * 32 + threadIdx.x;
    if (i < n) sum += in[i];
  }
  sum = FromHere(sum);
  if (threadIdx.x == 0) sums[tile] = sum;
}

// until[t] is the sum of all numbers up to the end of tile t.
__global__ void ScanTiles(const int* in, const int* until, int* out, int n, int tiles) {
  const int tile = tiles - 1 - (blockIdx.x * blockDim.y + threadIdx.y);
  if (tile < 0) return;
  int until_here = until[tile];
  for (int row = kRows - 1; row >= 0; --row) {
    const long long i = static_cast<long long>(tile) * kTile + row * 32 + threadIdx.x;
    const int sum = FromHere(i < n ? in[i] : 0);
    if (i < n) out[i] = until_here - sum;
    until_here -= __shfl_sync(0xffffffffu, sum, 0);
  }
}

// Makes sums inclusive, in place: one warp, which carries on from 32 to 32.
__global__ void UpToTheEnd(int* sums, int tiles) {
  int carry = 0;
  for (int first = 0; first < tiles; first += 32) {
    const int i = first + threadIdx.x;
    const int own = i < tiles ? sums[i] : 0;
    const int from_here = FromHere(own);
    const int all = __shfl_sync(0xffffffffu, from_here, 0);
    if (i < tiles) sums[i] = carry + all - from_here + own;
    carry += all;
  }
}

}  // namespace backwards

void exclusive_scan(const int* in, int* out, int n) {
  using namespace backwards;
  const dim3 block(32, 5);
  const int tiles = 1 + (n - 1) / kTile;
  const int grid = (tiles + 4) / 5;
  int* sums = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&sums), sizeof(int) * tiles);
  SumTiles<<<grid, block>>>(in, sums, n, tiles);
  UpToTheEnd<<<1, 32>>>(sums, tiles);
  ScanTiles<<<grid, block>>>(in, sums, out, n, tiles);
  cudaFree(sums);
}
