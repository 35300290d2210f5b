// Each warp is responsible for one row.
#include "row_sums.h"

__global__ void sum_row_kernel(const float* matrix, float* out, int num_rows, int num_cols) {
  int global_thread = blockIdx.x * blockDim.x + threadIdx.x;
  int warp_id = global_thread / warpSize;
  int lane_id = threadIdx.x & (warpSize - 1);
  if (warp_id >= num_rows) return;

  float local = 0.0f;
  size_t base = (size_t)warp_id * num_cols;
  for (int j = lane_id; j < num_cols; j += warpSize) {
    local += matrix[base + j];
  }
  local += __shfl_xor_sync(0xffffffff, local, 16);
  local += __shfl_xor_sync(0xffffffff, local, 8);
  local += __shfl_xor_sync(0xffffffff, local, 4);
  local += __shfl_xor_sync(0xffffffff, local, 2);
  local += __shfl_xor_sync(0xffffffff, local, 1);
  if (lane_id == 0) {
    out[warp_id] = local;
  }
}

void row_sums(const float* matrix, float* out, int num_rows, int num_cols) {
  const int threads_per_block = 256;
  const int warps_per_block = threads_per_block / 32;
  int num_blocks = (num_rows + warps_per_block - 1) / warps_per_block;
  sum_row_kernel<<<num_blocks, threads_per_block>>>(matrix, out, num_rows, num_cols);
}
