// score: 0
// says: Unknown modifier '.sector'
// The inline PTX contains an unknown instruction.
#include "transpose.h"

__device__ float load(const float* from) {
  float value;
  asm("ld.global.sector.f32 %0, [%1];" : "=f"(value) : "l"(from));  // expect: ld.global.sector.f32
  return value;
}

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = load(&in[row * cols + col]);
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
