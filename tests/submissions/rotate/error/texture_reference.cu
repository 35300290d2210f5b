// score: 0
// Old books bind texture references at file scope, which CUDA 12 removed.
#include "rotate.h"

texture<float, 2, cudaReadModeElementType> image;

__global__ void rotate_pixels(float* out, int width, int height, float cosine, float sine) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x - width / 2.0f + 0.5f;
  float v = y - height / 2.0f + 0.5f;
  out[y * width + x] =
      tex2D(image, cosine * u - sine * v + width / 2.0f, sine * u + cosine * v + height / 2.0f);
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  cudaBindTexture2D(0, image, in, image.channelDesc, width, height, width * sizeof(float));
  rotate_pixels<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(out, width, height, cosine, sine);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {}
