// score: 0
// says: barrier
// Only the threads that add wait at the barrier.
#include "scan.h"

constexpr int kThreads = 256;

__global__ void scan_tiles(const int* in, int* out, int* sums, int n) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < kThreads; d *= 2) {
    if (t >= d) {
      const int left = tile[t - d];
      __syncthreads();  // expect: barrier
      tile[t] += left;
    }
    __syncthreads();
  }
  if (i < n) out[i] = t == 0 ? 0 : tile[t - 1];
  if (sums != nullptr && t == kThreads - 1) sums[blockIdx.x] = tile[t];
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
