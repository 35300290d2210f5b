// score: 0
// says: blockDim.x is 2048 in a block of 2048x1x1 threads, and the limit is 1024
// A launch fails and leaves old values in the result; the program clears the error.
#include "transpose.h"

__global__ void much(const float* in, float* out, int count) {
  extern __shared__ float tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < count ? in[i] : 0;
  if (i < count) out[i] = tile[threadIdx.x];
}

void transpose(const float* in, float* out, int rows, int cols) {
  much<<<1, 2048, 1 << 20>>>(in, out, rows * cols);
  cudaGetLastError();
}
