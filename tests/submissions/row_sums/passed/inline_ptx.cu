// score: 100
// Loads, the lane's number and shuffles are in PTX, in blocks of 33 x 7 threads. Seven whole warps
// work, and the seven threads of the last one have nothing to do.
#include "row_sums.h"

__device__ float load_once(const float* p) {
  float value;
  asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(p));
  return value;
}

__device__ unsigned lane_number() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ float from_lane_across(float value, unsigned across) {
  float other;
  asm volatile("{\n\t.reg .pred p;\n\tshfl.sync.bfly.b32 %0|p, %1, %2, 0x1f, 0xffffffff;\n\t}"
               : "=f"(other)
               : "f"(value), "r"(across));
  return other;
}

__global__ void sum_rows(const float* m, float* sums, int rows, int cols) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int row = blockIdx.x * 7 + thread / 32;
  if (thread / 32 == 7 || row >= rows) return;
  const float* const elements = m + static_cast<size_t>(row) * cols;
  float sum = 0;
  for (int col = lane_number(); col < cols; col += 32) {
    asm("add.rn.f32 %0, %0, %1;" : "+f"(sum) : "f"(load_once(elements + col)));
  }
  for (unsigned across = 16; across != 0; across >>= 1) sum += from_lane_across(sum, across);
  if (lane_number() == 0) sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  sum_rows<<<(rows + 6) / 7, dim3(33, 7)>>>(m, sums, rows, cols);
}
