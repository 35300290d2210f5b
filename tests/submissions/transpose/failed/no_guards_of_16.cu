// score: 0
// says: guard the access with an if
// says: this may be a consequence of the access out of bounds
// Neither access has a guard: threads outside write elements of the next row, and past the end.
#include "transpose.h"
__global__ void Move(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[16][16 + 1];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x; y = blockIdx.x * 16 + threadIdx.y;
  out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
void transpose(const float* in, float* out, int rows, int cols) {
  dim3 block(16, 16), grid((cols + 16 - 1) / 16, (rows + 16 - 1) / 16);
  Move<<<grid, block>>>(in, out, rows, cols);
}
