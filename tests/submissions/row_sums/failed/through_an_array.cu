// score: 60
// says: by a surface object, which no counter sees
// Rows are fetched from a CUDA array; the result is right, but no counter knows the traffic of
// that.
#include <algorithm>

#include "row_sums.h"

constexpr int kPiece = 4096;

__global__ void add(cudaTextureObject_t m, float* sums, int rows, int first, int cols) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float sum = 0;
    for (int col = threadIdx.x; col < cols; col += 32) sum += tex2D<float>(m, col + 0.5f, row + 0.5f);
    for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0U, sum, lanes);
    if (threadIdx.x == 0) sums[row] = first == 0 ? sum : sums[row] + sum;
  }
}

__global__ void fill(cudaSurfaceObject_t piece, const float* m, int rows, int first, int width, int cols) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    for (int col = threadIdx.x; col < width; col += 32) {
      surf2Dwrite(m[static_cast<size_t>(row) * cols + first + col], piece, col * 4, row);
    }
  }
}

void row_sums(const float* m, float* sums, int rows, int cols) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  const int widest = std::min(cols, kPiece);
  for (int from = 0; from < rows; from += kPiece) {
    const int some = std::min(rows - from, kPiece);
    if (cudaMallocArray(&array, &floats, widest, some, cudaArraySurfaceLoadStore) != cudaSuccess) return;
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc fetch = {};
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
    cudaCreateTextureObject(&texture, &resource, &fetch, nullptr);
    cudaCreateSurfaceObject(&surface, &resource);
    for (int first = 0; first < cols; first += kPiece) {
      const int width = std::min(cols - first, kPiece);
      fill<<<1024, 32>>>(surface, m + static_cast<size_t>(from) * cols, some, first, width, cols);
      add<<<1024, 32>>>(texture, sums + from, some, first, width);
    }
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(texture);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
  }
}
