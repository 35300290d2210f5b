// score: 80
// The program tries 64 x 64 threads first and repeats the launch with fewer. The picture is right,
// but the first launch was illegal.
#include "picture.h"

__global__ void scale(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = 2 * in[y * width + x];
}

void scale_picture(const float* in, float* out, int width, int height) {
  for (int side = 64; side >= 16; side /= 2) {
    dim3 grid((width + side - 1) / side, (height + side - 1) / side);
    scale<<<grid, dim3(side, side)>>>(in, out, width, height);
    if (cudaGetLastError() == cudaSuccess) break;
  }
}
