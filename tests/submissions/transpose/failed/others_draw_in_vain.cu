// score: 60
// says: the busiest block
// Block 0 draws all tiles. Each other block draws from a second counter, until it gets 2, 5, 8 or
// another of these.
#include "transpose.h"

__device__ int next_tile, useless;

__device__ int draw(int* counter) {
  __shared__ int drawn;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) drawn = atomicAdd(counter, 1);
  __syncthreads();
  return drawn;
}

__global__ void transpose_tiles(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  if (blockIdx.x != 0) {
    while (draw(&useless) % 3 != 2) {
    }
    return;
  }
  const int across = (cols + 31) / 32;
  const int all = across * ((rows + 31) / 32);
  for (int number; (number = draw(&next_tile)) < all;) {
    const int row = number / across * 32, col = number % across * 32;
    for (int i = threadIdx.y; i < 32; i += blockDim.y) {
      if (row + i < rows && col + threadIdx.x < cols) {
        tile[i][threadIdx.x] = in[static_cast<size_t>(row + i) * cols + col + threadIdx.x];
      }
    }
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += blockDim.y) {
      if (col + i < cols && row + threadIdx.x < rows) {
        out[static_cast<size_t>(col + i) * rows + row + threadIdx.x] = tile[threadIdx.x][i];
      }
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const int zero = 0;
  cudaMemcpyToSymbol(next_tile, &zero, sizeof(zero));
  cudaMemcpyToSymbol(useless, &zero, sizeof(zero));
  transpose_tiles<<<32, dim3(32, 8)>>>(in, out, rows, cols);
}
