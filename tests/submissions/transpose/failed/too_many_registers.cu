// score: 0
// says: registers
// says: __launch_bounds__(1024)
// Each thread keeps a hundred values, in blocks of 1024 threads: a multiprocessor has 64 registers
// for each, but the compiler does not know. The launch is refused, and the error is not checked.
#include "transpose.h"

constexpr int kValues = 100;

// Each access happens, and in this order: all values are there before the first is used.
__device__ volatile float left[kValues], right[kValues];

__global__ void Transpose(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  const bool inside = row < rows && col < cols;
  const size_t at = inside ? static_cast<size_t>(row) * cols + col : 0;
  float values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = in[at] + left[i];
  float value = 0;
#pragma unroll
  for (int i = 0; i < kValues; ++i) value = fmaf(values[i], right[i], value);
  if (inside) out[static_cast<size_t>(col) * rows + row] = value;
}

void transpose(const float* in, float* out, int rows, int cols) {
  Transpose<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}
