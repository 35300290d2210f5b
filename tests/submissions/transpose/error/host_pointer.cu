// score: 0
// The kernel gets a pointer to an array of the host.
#include <cstdlib>

#include "transpose.h"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    float value = in[row * cols + col];
    out[col * rows + row] = value;  // expect: host
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  size_t bytes = sizeof(float) * rows * cols;
  float* staging = static_cast<float*>(malloc(bytes));
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, staging, rows, cols);
  cudaMemcpy(out, staging, bytes, cudaMemcpyHostToDevice);
  free(staging);
}
