// score: 0
// final: no
// says: cudaIpcGetMemHandle is not offered by warpcheck
// The program checks every call and stops at the first call that is not offered.
#include <cstdlib>

#include "transpose.h"

__global__ void Transpose(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && col < cols) {
    out[static_cast<size_t>(col) * rows + row] = in[static_cast<size_t>(row) * cols + col];
  }
}

void Check(cudaError_t error) {
  if (error != cudaSuccess) std::exit(EXIT_FAILURE);
}

void transpose(const float* in, float* out, int rows, int cols) {
  cudaIpcMemHandle_t handle;
  Check(cudaIpcGetMemHandle(&handle, out));
  Transpose<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
  Check(cudaDeviceSynchronize());
}
