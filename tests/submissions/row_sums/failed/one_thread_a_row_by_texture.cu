// score: 60
// says: sectors moved
// One thread sums a row by texture fetches, which count as loads.
#include "row_sums.h"

__global__ void add(cudaTextureObject_t m, float* sums, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int col = 0; col < cols; ++col) sum += tex1Dfetch<float>(m, row * cols + col);
  sums[row] = sum;
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  cudaResourceDesc elements = {};
  elements.resType = cudaResourceTypeLinear;
  elements.res.linear.devPtr = const_cast<float*>(m);
  elements.res.linear.desc = cudaCreateChannelDesc<float>();
  elements.res.linear.sizeInBytes = sizeof(float) * rows * cols;
  cudaTextureDesc fetch = {};
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &elements, &fetch, nullptr) != cudaSuccess) return;
  add<<<(rows + 127) / 128, 128>>>(texture, sums, rows, cols);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
}
