// score: 80
// The tile has no padding, and one lane after the other reads its columns: there are no conflicts,
// but the reads take as long as with conflicts.
#include "transpose.h"

__global__ void transpose_lane_by_lane(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (col < cols && row < rows) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  if (col >= rows || row >= cols) return;
  volatile float* words = tile[0];
  float value = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (threadIdx.x == lane) {
      value = words[threadIdx.x * 32 + threadIdx.y];  // expect: 1 of 32 lanes active
    }
  }
  out[row * rows + col] = value;
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_lane_by_lane<<<grid, dim3(32, 32)>>>(in, out, rows, cols);
}
