#include "tile.cuh"

__global__ void flip(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32 * 32];
  const int x = threadIdx.x;
  const int first_row = blockIdx.y * 32;
  const int first_col = blockIdx.x * 32;
#pragma unroll
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (first_row + y < rows && first_col + x < cols) {
      tile[Place(x, y)] = in[static_cast<size_t>(first_row + y) * cols + first_col + x];
    }
  }
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (first_col + y < cols && first_row + x < rows) {
      out[static_cast<size_t>(first_col + y) * rows + first_row + x] = tile[Place(y, x)];
    }
  }
}

void FlipAll(const float* in, float* out, int rows, int cols, dim3 grid) {
  flip<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
