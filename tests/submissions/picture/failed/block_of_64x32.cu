// score: 0
// says: the program did not check this error
// A block of 64 x 32 threads is too large, and the program ignores the error.
#include "picture.h"

__global__ void twice(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < height) out[(size_t)y * width + x] = 2 * in[(size_t)y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  twice<<<dim3((width + 63) / 64, (height + 31) / 32), dim3(64, 32)>>>(in, out, width, height);
}
