// score: 0
// says: null
// The program allocates memory for the result again and ignores the error.
#include "picture.h"

__global__ void scale(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];  // expect: null
}

void scale_picture(const float* in, float* out, int width, int height) {
  out = nullptr;
  cudaMalloc(&out, static_cast<size_t>(width) * height << 32);
  scale<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in, out, width, height);
}
