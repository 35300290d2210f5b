// The loads go down the columns of the matrix, block by block; each warp has its own rows of the
// tile.
#include "transpose.h"

template <typename T, int N>
struct Tile {
  T cell[N][N + 1];
};

__global__ void matrix_transpose(const float* src, float* dst, int h, int w) {
  __shared__ Tile<float, 32> tile;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int tiles_down = (h + 31) / 32;
  const int ty = blockIdx.x % tiles_down;
  const int tx = blockIdx.x / tiles_down;
#pragma unroll
  for (int k = 0; k < 32; k += 4) {
    const int r = ty * 32 + warp + k;
    const int c = tx * 32 + lane;
    if (r < h && c < w) tile.cell[lane][warp + k] = src[(long long)r * w + c];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 32; k += 4) {
    const int r = tx * 32 + warp + k;
    const int c = ty * 32 + lane;
    if (r < w && c < h) dst[(long long)r * h + c] = tile.cell[warp + k][lane];
  }
}

void transpose(const float* src, float* dst, int h, int w) {
  const int tiles = ((h + 31) / 32) * ((w + 31) / 32);
  matrix_transpose<<<tiles, 128>>>(src, dst, h, w);
}
