// score: 0
// says: (denormal), got
// The kernel multiplies by one with instructions that flush denormal numbers to zero.
#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__device__ float times_one(float value) {
  if (isnan(value)) return value;
  asm("mul.ftz.f32 %0, %0, 0f3F800000;" : "+f"(value));
  return value;
}

__global__ void transpose_flushing(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < cols && row + i < rows) {
      tile[threadIdx.y + i][threadIdx.x] = times_one(in[(row + i) * cols + col]);
    }
  }
  __syncthreads();
  col = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < rows && row + i < cols) {
      out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 block(kTile, kRows);
  dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_flushing<<<grid, block>>>(in, out, rows, cols);
}
