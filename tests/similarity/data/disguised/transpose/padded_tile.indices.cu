// Pointers to the first elements are moved in steps.
#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_padded(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile * (kTile + 1)];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int left = kTile * blockIdx.x, top = kTile * blockIdx.y;
  const float* p = in + (top + ty) * cols + (left + tx);
  float* t = tile + ty * (kTile + 1) + tx;
  for (int i = 0; i < kTile; i += kRows) {
    if (left + tx < cols && i < rows - (top + ty)) *t = *p;
    p += kRows * cols;
    t += kRows * (kTile + 1);
  }
  __syncthreads();
  float* q = out + (left + ty) * rows + (top + tx);
  t = tile + tx * (kTile + 1) + ty;
  for (int i = 0; i < kTile; i += kRows) {
    if (top + tx < rows && i < cols - (left + ty)) *q = *t;
    q += kRows * rows;
    t += kRows;
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid(1 + (cols - 1) / kTile, 1 + (rows - 1) / kTile);
  transpose_padded<<<grid, dim3(kTile, kRows)>>>(in, out, rows, cols);
}
