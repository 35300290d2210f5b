// score: 100
// No memory is allocated: up to 4096 blocks leave their sums in a __device__ array, and each has as
// many rows of 96 numbers as it takes. Every block adds up the sums before its own by itself. The
// blocks are 32 x 3, the grid has three dimensions, and the walk goes by rows of the whole block:
// three warps give each other their sums by named barriers in PTX.
#include "scan.h"

constexpr unsigned kMost = 4096;
constexpr unsigned kRowLength = 96;

__device__ int sums_of_blocks[kMost];

__device__ unsigned block_number() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

__device__ void wait_for_block() { asm volatile("bar.sync 1, 96;" ::: "memory"); }

__device__ int up_to_here(int number) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(0xffffffff, number, d);
    number += threadIdx.x < d ? 0 : left;
  }
  return number;
}

__global__ void leave_sums(const int* in, unsigned n, unsigned rows) {
  __shared__ int parts[3];
  const unsigned first = block_number() * rows * kRowLength;
  int sum = 0;
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned i = first + row * kRowLength + threadIdx.y * 32 + threadIdx.x;
    if (i < n) sum += in[i];
  }
  sum = __reduce_add_sync(0xffffffff, sum);
  parts[threadIdx.y] = sum;
  wait_for_block();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    sums_of_blocks[block_number()] = parts[0] + parts[1] + parts[2];
  }
}

__global__ void scan_rows(const int* in, int* out, unsigned n, unsigned rows) {
  __shared__ int parts[2][3];
  const unsigned first = block_number() * rows * kRowLength;
  // Each warp adds up all sums before for itself.
  int carry = 0;
  for (unsigned b = threadIdx.x; b < block_number(); b += 32) carry += sums_of_blocks[b];
  carry = __reduce_add_sync(0xffffffff, carry);
  for (unsigned row = 0; row < rows; ++row) {
    const unsigned i = first + row * kRowLength + threadIdx.y * 32 + threadIdx.x;
    const int number = i < n ? in[i] : 0;
    const int sum = up_to_here(number);
    int* const now = parts[row % 2];
    if (threadIdx.x == 31) now[threadIdx.y] = sum;
    wait_for_block();
    const int first_warp = now[0], second_warp = now[1], third_warp = now[2];
    const int before =
        threadIdx.y == 0 ? 0 : (threadIdx.y == 1 ? first_warp : first_warp + second_warp);
    if (i < n) out[i] = carry + before + sum - number;
    carry += first_warp + second_warp + third_warp;
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  const unsigned count = n;
  const unsigned rows_of_all = (count - 1) / kRowLength + 1;
  unsigned rows = (rows_of_all - 1) / kMost + 1;
  if (rows < 8) rows = 8;
  const unsigned blocks = (rows_of_all - 1) / rows + 1;
  // A cuboid of blocks. There may be a few more than needed, but no more than kMost.
  dim3 grid(blocks);
  if (blocks > 64) grid = dim3(16, 4, (blocks + 63) / 64);
  leave_sums<<<grid, dim3(32, 3)>>>(in, count, rows);
  scan_rows<<<grid, dim3(32, 3)>>>(in, out, count, rows);
}
