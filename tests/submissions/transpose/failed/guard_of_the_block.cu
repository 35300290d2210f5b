// score: 0
// says: compares threadIdx.
// The guard compares threadIdx with the matrix instead of the element's place.
#include "transpose.h"

__global__ void tiled(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (threadIdx.y >= rows || threadIdx.x >= cols) return;
  out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  tiled<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(in, out, rows, cols);
}
