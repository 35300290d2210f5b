// score: 80
// The tile has no padding and is filled and read by atomics, whose columns lie in one bank too.
#include "transpose.h"

__global__ void by_atomics(const float* in, float* out, int rows, int cols) {
  __shared__ int tile[32][32];
  int c = blockIdx.x * 32 + threadIdx.x;
  int r = blockIdx.y * 32 + threadIdx.y;
  if (r < rows && c < cols)
    atomicExch(&tile[threadIdx.y][threadIdx.x], __float_as_int(in[(size_t)r * cols + c]));
  __syncthreads();
  int oc = blockIdx.y * 32 + threadIdx.x;
  int orow = blockIdx.x * 32 + threadIdx.y;
  if (orow < cols && oc < rows)
    out[(size_t)orow * rows + oc] = __int_as_float(atomicOr(&tile[threadIdx.x][threadIdx.y], 0));  // expect: wavefronts
}

void transpose(const float* in, float* out, int rows, int cols) {
  by_atomics<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}
