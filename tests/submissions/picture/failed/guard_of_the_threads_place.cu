// score: 80
// says: compares threadIdx.x and threadIdx.y
// The guard compares threadIdx.x and threadIdx.y with the picture's size instead of the pixel's
// place.
#include "picture.h"

__global__ void twice(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (threadIdx.x < width && threadIdx.y < height) {
    out[(size_t)y * width + x] = 2 * in[(size_t)y * width + x];
  }
}

void scale_picture(const float* in, float* out, int width, int height) {
  twice<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, out, width, height);
}
