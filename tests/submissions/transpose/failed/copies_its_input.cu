// score: 0
// says: wrong
// The kernel copies its input, which is right for single rows and columns only.
#include "transpose.h"

__global__ void copy(const float* in, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  int count = rows * cols;
  copy<<<(count + 255) / 256, 256>>>(in, out, count);
}
