// score: 100
// Counts bright pixels in a managed variable, says how many there are, and scales them.
#include <cstdio>

#include "picture.h"

__managed__ int bright = 0;

__global__ void count_bright(const float* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && in[i] > 0.5f) atomicAdd(&bright, 1);
}

__global__ void scale_counted(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2 * in[i];
}

void scale_picture(const float* in, float* out, int width, int height) {
  const int count = width * height, blocks = (count + 255) / 256;
  bright = 0;
  count_bright<<<blocks, 256>>>(in, count);
  cudaDeviceSynchronize();
  if (count < 1000) std::printf("%d of %d are bright\n", bright, count);
  bright = 0;
  scale_counted<<<blocks, 256>>>(in, out, count);
  cudaDeviceSynchronize();
}
