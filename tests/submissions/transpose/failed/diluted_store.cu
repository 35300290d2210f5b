// score: 60
// Two hundred perfect loads stand on the line of the store that touches one row for each lane.
#include "transpose.h"

__device__ float pool[256];

__global__ void transpose_diluted(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 8 + threadIdx.y;
  const volatile float* dummy = pool + threadIdx.y * 32 + threadIdx.x;
  if (row >= rows || col >= cols) return;
  float value = in[row * cols + col];
  for (int i = 0; i < 200; ++i) (void)*dummy; out[col * rows + row] = value;  // expect: sectors moved
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  transpose_diluted<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
