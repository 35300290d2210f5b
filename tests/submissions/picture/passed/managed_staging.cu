// score: 100
// The picture is scaled in two steps, with managed memory between them.
#include "picture.h"

__global__ void multiply(const float* in, float* staged, const float* factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) staged[i] = *factor * in[i];
}

__global__ void copy(const float* staged, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = staged[i];
}

void scale_picture(const float* in, float* out, int width, int height) {
  const int count = width * height;
  const int blocks = (count + 255) / 256;
  float* staged = nullptr;
  float* factor = nullptr;
  if (cudaMallocManaged(&staged, count * sizeof(float)) != cudaSuccess) return;
  if (cudaMallocManaged(&factor, sizeof(float)) != cudaSuccess) return;
  *factor = 2;
  multiply<<<blocks, 256>>>(in, staged, factor, count);
  cudaDeviceSynchronize();
  if (*factor != 2) return;
  copy<<<blocks, 256>>>(staged, out, count);
  cudaDeviceSynchronize();
  cudaFree(factor);
  cudaFree(staged);
}
