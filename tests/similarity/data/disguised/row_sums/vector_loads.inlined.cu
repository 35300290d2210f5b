// There is no helper: the shuffles stand where they are used.
#include "row_sums.h"

__global__ void vector_sums(const float* m, float* sums, int rows, int cols) {
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows;
       row += gridDim.x * blockDim.x / 32) {
    float sum = 0;
    int col = threadIdx.x % 32;
    if (cols % 4 == 0) {
      for (int i = threadIdx.x % 32; i < cols / 4; i += 32) {
        const float4 v = reinterpret_cast<const float4*>(m + static_cast<size_t>(row) * cols)[i];
        sum += (v.x + v.y) + (v.z + v.w);
      }
      col = cols;
    }
    for (; col < cols; col += 32) sum += m[static_cast<size_t>(row) * cols + col];
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(~0u, sum, mask);
    if (threadIdx.x % 32 == 0) sums[row] = sum;
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  vector_sums<<<264, 256>>>(m, sums, rows, cols);
}
