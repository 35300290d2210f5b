// Atomics of several addresses without a fence, in programs that are right in any order: pieces
// from a counter, the best value so far, room in a list, a maximum of floats, two locks in turn.
// prints: 4096 255 128 1024 64
#include <cuda_runtime.h>

#include <cstdio>

__device__ int next, best, length, list[4096];
__device__ float largest;
__device__ int locks[2], totals[2];

__device__ void MaxOfFloats(float* at, float value) {
  int* const bits = reinterpret_cast<int*>(at);
  int old = atomicAdd(bits, 0);
  while (__int_as_float(old) < value) {
    const int seen = atomicCAS(bits, old, __float_as_int(value));
    if (seen == old) break;
    old = seen;
  }
}

// Adds one to a total under its lock.
__device__ void AddUnderLock(int which) {
  while (atomicCAS(&locks[which], 0, 1) != 0) {
  }
  __threadfence();
  ++totals[which];
  __threadfence();
  atomicExch(&locks[which], 0);
}

__global__ void Work() {
  __shared__ int piece, found;
  for (;;) {
    if (threadIdx.x == 0) piece = atomicAdd(&next, 1);
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (piece >= 128) break;
    const int value = (piece * 37 + threadIdx.x) % 256;
    if (value > *static_cast<volatile int*>(&best)) atomicMax(&best, value);
    MaxOfFloats(&largest, value / 2.0F);
    if (piece % 2 == 0) atomicAdd(&found, 2);
    __syncthreads();
    if (threadIdx.x == 0) {
      // Pieces without a result ask for no room.
      const int first = atomicAdd(&length, found);
      for (int i = 0; i < found; ++i) list[first + i] = 1;
      if (piece % 4 == 0) AddUnderLock(0);
      if (piece % 4 == 1) AddUnderLock(1);
    }
    __syncthreads();
  }
}

int main() {
  Work<<<8, 32>>>();
  int numbers[3], sums[2], ones = 0;
  static int all[4096];
  float most = 0;
  cudaMemcpyFromSymbol(&numbers[0], length, 4);
  cudaMemcpyFromSymbol(&numbers[1], best, 4);
  cudaMemcpyFromSymbol(&most, largest, 4);
  cudaMemcpyFromSymbol(sums, totals, 8);
  cudaMemcpyFromSymbol(all, list, sizeof all);
  for (int one : all) ones += one;
  std::printf("%d %d %d %d %d\n", numbers[0], numbers[1], ones == numbers[0] ? 128 : ones,
              static_cast<int>(most * 8) + 4, sums[0] + sums[1]);
}
