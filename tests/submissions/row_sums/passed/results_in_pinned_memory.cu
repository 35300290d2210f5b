// score: 100
// Sums lie in mapped pinned memory first; a second kernel brings them where they belong.
#include <cstdio>

#include "row_sums.h"

__global__ void SumsOfRows(const float* m, float* sums, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* elements = m + size_t{1} * row * cols;
  float sum = 0;
  for (int col = threadIdx.x; col < cols; col += 32) sum += elements[col];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  if (threadIdx.x == 0) sums[row] = sum;
}

__global__ void bring(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  float *shown = nullptr, *on_device = nullptr;
  cudaHostAlloc(&shown, rows * sizeof(float), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&on_device, shown, 0);
  SumsOfRows<<<(rows + 7) / 8, dim3(32, 8)>>>(m, on_device, rows, cols);
  cudaDeviceSynchronize();
  if (rows == 1) std::printf("the only sum: %f\n", shown[0]);
  bring<<<(rows + 255) / 256, 256>>>(on_device, sums, rows);
  cudaDeviceSynchronize();
  cudaFreeHost(shown);
}
