// Each call waits for less than the limit, but all calls together wait for longer.
// score: 0
// says: earlier calls have reached the limit of all calls together
#include <unistd.h>

#include "transpose.h"

__global__ void transpose_naive(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

void transpose(const float* in, float* out, int rows, int cols) {
  transpose_naive<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
  sleep(9);
}
