// score: 60
// Each warp writes a row but reads a column: 32 sectors a request.
#include "transpose.h"

__global__ void transpose_gather(const float* in, float* out, int rows, int cols) {
  int r = blockIdx.x * 32 + threadIdx.x;
  int c = blockIdx.y * 8 + threadIdx.y;
  if (r >= rows || c >= cols) return;
  float value = in[r * cols + c];  // expect: sectors
  out[c * rows + r] = value;
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_gather<<<dim3((rows + 31) / 32, (cols + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
