// score: 0
// says: no __threadfence() before the lock is released
#include "row_sums.h"

// Four warps share a row, and each adds its part under the row's lock.
__global__ void add_rows(const float* m, float* sums, int* locks, int rows, int cols) {
  int row = blockIdx.x;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 128) sum += m[(size_t)row * cols + c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) {
    bool done = false;
    while (!done) {
      if (atomicExch(&locks[row], 1) == 0) {
        sums[row] = sums[row] + sum;
        *(volatile int*)&locks[row] = 0;
        done = true;
      }
    }
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  int* locks;
  cudaMalloc(&locks, rows * sizeof(int));
  cudaMemset(locks, 0, rows * sizeof(int));
  cudaMemset(sums, 0, rows * sizeof(float));
  add_rows<<<rows, 128>>>(m, sums, locks, rows, cols);
  cudaFree(locks);
}
