// score: 100
// A block takes four tiles one after the other: a pipeline fetches the next one meanwhile.
#include <cuda/pipeline>

#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;
constexpr int kTilesEach = 4;

__global__ void transpose_pipelined(const float* in, float* out, int rows, int cols) {
  __shared__ float stage[2][kTile][kTile + 1];
  auto pipe = cuda::make_pipeline();
  const int across = (cols + kTile * kTilesEach - 1) / (kTile * kTilesEach);
  const int top = blockIdx.x / across * kTile;
  const int left = blockIdx.x % across * kTile * kTilesEach;
  const int tiles = min(kTilesEach, (cols - left + kTile - 1) / kTile);

  auto fetch = [&](int tile) {
    pipe.producer_acquire();
    const int col = left + tile * kTile + threadIdx.x;
    for (int y = threadIdx.y; y < kTile; y += kRows) {
      if (top + y < rows && col < cols) {
        cuda::memcpy_async(&stage[tile % 2][y][threadIdx.x],
                           in + static_cast<size_t>(top + y) * cols + col,
                           cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
      }
    }
    pipe.producer_commit();
  };

  fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      fetch(tile + 1);
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    __syncthreads();
    for (int y = threadIdx.y; y < kTile; y += kRows) {
      const int out_row = left + tile * kTile + y;
      const int out_col = top + threadIdx.x;
      if (out_row < cols && out_col < rows) {
        out[static_cast<size_t>(out_row) * rows + out_col] = stage[tile % 2][threadIdx.x][y];
      }
    }
    pipe.consumer_release();
    __syncthreads();
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const int across = (cols + kTile * kTilesEach - 1) / (kTile * kTilesEach);
  transpose_pipelined<<<across*((rows + kTile - 1) / kTile), dim3(kTile, kRows)>>>(in, out, rows,
                                                                                   cols);
}
