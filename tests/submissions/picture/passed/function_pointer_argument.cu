// score: 100
// The host asks for the address of a function on the device, and hands it to the kernel.
#include "picture.h"

using Brighten = float (*)(float);

__device__ float times_two(float pixel) { return 2 * pixel; }
__device__ float halved_twice_as_often(float pixel) { return pixel / 0.5f; }

__device__ Brighten brighten_table[] = {times_two, halved_twice_as_often};

__global__ void apply(const float* in, float* out, int width, int height, Brighten brighten) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const size_t pixel = static_cast<size_t>(y) * width + x;
    out[pixel] = brighten(in[pixel]);
  }
}

void scale_picture(const float* in, float* out, int width, int height) {
  Brighten table[2] = {};
  if (cudaMemcpyFromSymbol(table, brighten_table, sizeof(table)) != cudaSuccess) return;
  const dim3 block(16, 16);
  const dim3 grid((width + 15) / 16, (height + 15) / 16);
  apply<<<grid, block>>>(in, out, width, height, table[height % 2]);
}
