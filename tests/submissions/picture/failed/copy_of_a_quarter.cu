// score: 0
// says: wrote the first 4,712 of the array's 18,848 bytes
// cudaMemcpy is given the number of pixels instead of bytes, and copies a quarter of the picture.
#include "picture.h"

__global__ void twice(const float* copy, float* out, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) out[(size_t)y * width + x] = 2 * copy[(size_t)y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  float* copy;
  size_t pixels = (size_t)width * height;
  cudaMalloc(&copy, pixels * sizeof(float));
  cudaMemcpy(copy, in, pixels, cudaMemcpyDeviceToDevice);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  twice<<<grid, dim3(32, 8)>>>(copy, out, width, height);
  cudaFree(copy);
}
