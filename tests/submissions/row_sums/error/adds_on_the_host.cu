// score: 0
// says: signal 11
// Host code adds up the partial sums of the blocks through pointers to the device.
#include "row_sums.h"

__global__ void partial_sums(const float* m, float* parts, int cols) {
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 32) {
    sum += m[static_cast<size_t>(blockIdx.x) * cols + col];
  }
  parts[blockIdx.x * 32 + threadIdx.x] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  float* parts = nullptr;
  cudaMalloc(&parts, rows * 32 * sizeof(float));
  partial_sums<<<rows, 32>>>(m, parts, cols);
  cudaDeviceSynchronize();
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += parts[row * 32 + i];
    sums[row] = sum;
  }
  cudaFree(parts);
}
