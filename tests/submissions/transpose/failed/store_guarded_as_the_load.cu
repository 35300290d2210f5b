// score: 0
// says: never written
// The store has the guard of the load, with the coordinates exchanged.
#include "transpose.h"
__global__ void Move(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][32 + 1];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  if (x < cols && y < rows) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];  // mistake
}
void transpose(const float* in, float* out, int rows, int cols) {
  dim3 block(32, 32), grid((cols + 32 - 1) / 32, (rows + 32 - 1) / 32);
  Move<<<grid, block>>>(in, out, rows, cols);
}
