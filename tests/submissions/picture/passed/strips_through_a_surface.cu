// score: 100
// Copies strips of rows into a CUDA array, doubles them there through a surface, and copies them
// out again.
#include <algorithm>

#include "picture.h"

__global__ void twice_in_place(cudaSurfaceObject_t surface, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float pixel;
  surf2Dread(&pixel, surface, x * static_cast<int>(sizeof(float)), y);
  surf2Dwrite(pixel + pixel, surface, x * static_cast<int>(sizeof(float)), y);
}

void scale_picture(const float* in, float* out, int width, int height) {
  const int strip = std::min(height, 4096);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  if (cudaMallocArray(&array, &format, width, strip, cudaArraySurfaceLoadStore) != cudaSuccess) {
    return;
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  const size_t row = width * sizeof(float);
  for (int y = 0; y < height; y += strip) {
    const int rows = std::min(strip, height - y);
    const size_t first = static_cast<size_t>(y) * width;
    cudaMemcpy2DToArray(array, 0, 0, in + first, row, row, rows, cudaMemcpyDeviceToDevice);
    const dim3 grid((width + 31) / 32, (rows + 7) / 8);
    twice_in_place<<<grid, dim3(32, 8)>>>(surface, width, rows);
    cudaMemcpy2DFromArray(out + first, row, array, 0, 0, row, rows, cudaMemcpyDeviceToDevice);
  }
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
}
