// score: 80
// Each row has one block with a thread for each pixel, but a block has at most 1024 threads, and a
// grid has at most 65,535 blocks in y.
// says: 100000
#include "picture.h"

__global__ void scale_row(const float* in, float* out) {
  int pixel = blockIdx.y * blockDim.x + threadIdx.x;
  out[pixel] = 2 * in[pixel];
}

void scale_picture(const float* in, float* out, int width, int height) {
  scale_row<<<dim3(1, height), width>>>(in, out);
}
