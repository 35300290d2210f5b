// The host code comes first.
#include "row_sums.h"

__global__ void vector_sums(const float* m, float* sums, int rows, int cols);

void row_sums(const float* m, float* sums, int rows, int cols) {
  vector_sums<<<264, 256>>>(m, sums, rows, cols);
}

__device__ float warp_sum(float value);

__global__ void vector_sums(const float* m, float* sums, int rows, int cols) {
  const int warps = gridDim.x * blockDim.x / 32;
  const int lane = threadIdx.x % 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    int col = lane;
    float sum = 0;
    const float* elements = m + static_cast<size_t>(row) * cols;
    if (cols % 4 == 0) {
      col = cols;
      const float4* vectors = reinterpret_cast<const float4*>(elements);
      for (int i = lane; i < cols / 4; i += 32) {
        const float4 v = vectors[i];
        sum += (v.z + v.w) + (v.x + v.y);
      }
    }
    for (; col < cols; col += 32) sum += elements[col];
    sum = warp_sum(sum);
    if (lane == 0) sums[row] = sum;
  }
}

__device__ float warp_sum(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) value += __shfl_xor_sync(~0u, value, mask);
  return value;
}
