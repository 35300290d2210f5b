// Reference solution: one warp a row. Its lanes walk along the row side by side, each adding up
// every 32nd element, and then add up their 32 sums among themselves.
#include "row_sums.h"

namespace {

constexpr int kWarp = 32;          // the lanes of a warp
constexpr int kWarpsPerBlock = 8;  // rows that a block works on at a time

__global__ void SumRows(const float* m, float* sums, int rows, int cols) {
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (row >= rows) return;  // this is the same for all lanes of a warp

  const float* const elements = m + static_cast<size_t>(row) * cols;
  float sum = 0;
  for (int col = lane; col < cols; col += kWarp) sum += elements[col];

  // Lane i adds the sum of lane i + 16, then of i + 8, ...: lane 0 ends with all of them.
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  if (lane == 0) sums[row] = sum;
}

}  // namespace

void row_sums(const float* m, float* sums, int rows, int cols) {
  const int blocks = (rows + kWarpsPerBlock - 1) / kWarpsPerBlock;
  SumRows<<<blocks, dim3(kWarp, kWarpsPerBlock)>>>(m, sums, rows, cols);
}
