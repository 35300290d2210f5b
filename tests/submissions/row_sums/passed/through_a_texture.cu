// score: 100
// A warp sums a row, read through a texture object over the input: fetches count as loads.
#include "row_sums.h"

__global__ void add(cudaTextureObject_t m, float* sums, int rows, int cols) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float sum = 0;
    for (int col = threadIdx.x; col < cols; col += 32) sum += tex1Dfetch<float>(m, row * cols + col);
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0U, sum, lanes);
    if (threadIdx.x == 0) sums[row] = sum;
  }
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
  add<<<1024, 32>>>(texture, sums, rows, cols);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
}
