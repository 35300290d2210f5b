// score: 0
// says: registers
// says: __launch_bounds__(1024)
// Keeps a hundred values of a thread over a barrier, in blocks of 1024 threads: a multiprocessor has
// 64 registers for each, and nobody told the compiler. The launch is refused, and nothing asks.
#include "transpose.h"

constexpr int kValues = 100;

__global__ void Transpose(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  __shared__ float factor;
  const bool inside = row < rows && col < cols;
  const size_t at = inside ? static_cast<size_t>(row) * cols + col : 0;
  const size_t last = static_cast<size_t>(rows) * cols - 1;
  float values[kValues];
#pragma unroll
  for (size_t i = 0; i < kValues; ++i) values[i] = in[at + i < last ? at + i : last];
  if (threadIdx.x == 0 && threadIdx.y == 0) factor = 0;
  __syncthreads();
  float value = values[0];
#pragma unroll
  for (int i = 1; i < kValues; ++i) value = fmaf(values[i], factor, value);
  if (inside) out[static_cast<size_t>(col) * rows + row] = value;
}

void transpose(const float* in, float* out, int rows, int cols) {
  Transpose<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}
