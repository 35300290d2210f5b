// score: 75
// says: ever fewer threads add
// All threads of a block add in each of its eight steps, from one copy of the tile to the other.
#include "scan.h"

constexpr int kThreads = 256;

__global__ void scan_tiles(const int* in, int* out, int* sums, int n) {
  __shared__ int tile[2][kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  tile[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  int from = 0;
  for (int d = 1; d < kThreads; d *= 2) {
    tile[1 - from][t] = tile[from][t] + (t >= d ? tile[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = t == 0 ? 0 : tile[from][t - 1];
  if (sums != nullptr && t == kThreads - 1) sums[blockIdx.x] = tile[from][t];
}

__global__ void add_before(int* out, const int* before, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] += before[blockIdx.x];
}

void exclusive_scan(const int* in, int* out, int n) {
  const int tiles = (n + kThreads - 1) / kThreads;
  int* sums = nullptr;
  if (tiles > 1) cudaMalloc(&sums, 2 * tiles * sizeof(int));
  scan_tiles<<<tiles, kThreads>>>(in, out, sums, n);
  if (tiles == 1) return;
  exclusive_scan(sums, sums + tiles, tiles);
  add_before<<<tiles, kThreads>>>(out, sums + tiles, n);
  cudaFree(sums);
}
