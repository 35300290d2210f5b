// score: 0
// says: requires separate compilation mode
// A kernel launches the kernel that does the work (dynamic parallelism).
#include "transpose.h"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

__global__ void parent(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  transpose_kernel<<<grid, dim3(32, 8)>>>(in, out, rows, cols);  // expect: separate compilation
}

void transpose(const float* in, float* out, int rows, int cols) {
  parent<<<1, 1>>>(in, out, rows, cols);
}
