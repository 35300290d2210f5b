// score: 100
// Each row has a warp. A lane loads 16 bytes if rows start at 16 bytes. The program uses
// __shfl_xor_sync, and a fixed grid that strides over the rows.
#include "row_sums.h"

__device__ float warp_sum(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) value += __shfl_xor_sync(~0u, value, mask);
  return value;
}

__global__ void vector_sums(const float* m, float* sums, int rows, int cols) {
  const int lane = threadIdx.x % 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    const float* elements = m + static_cast<size_t>(row) * cols;
    float sum = 0;
    int col = lane;
    if (cols % 4 == 0) {
      const float4* vectors = reinterpret_cast<const float4*>(elements);
      for (int i = lane; i < cols / 4; i += 32) {
        const float4 v = vectors[i];
        sum += (v.x + v.y) + (v.z + v.w);
      }
      col = cols;
    }
    for (; col < cols; col += 32) sum += elements[col];
    sum = warp_sum(sum);
    if (lane == 0) sums[row] = sum;
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  vector_sums<<<264, 256>>>(m, sums, rows, cols);
}
