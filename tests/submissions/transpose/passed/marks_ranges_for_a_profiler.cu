// score: 100
// The program includes headers of profilers, and a library that it does not use.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <thrust/device_vector.h>

#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_tiles(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  // Tiles are numbered in x alone, because a grid has at most 65,535 blocks in y.
  const int across = (cols - 1) / kTile + 1;
  const int first_col = blockIdx.x % across * kTile;
  const int first_row = blockIdx.x / across * kTile;
  const int col = first_col + threadIdx.x;
  for (int i = threadIdx.y; i < kTile; i += kRows) {
    const int row = first_row + i;
    if (row < rows && col < cols) tile[i][threadIdx.x] = in[static_cast<size_t>(row) * cols + col];
  }
  __syncthreads();
  const int out_col = first_row + threadIdx.x;
  for (int i = threadIdx.y; i < kTile; i += kRows) {
    const int out_row = first_col + i;
    if (out_row < cols && out_col < rows) {
      out[static_cast<size_t>(out_row) * rows + out_col] = tile[threadIdx.x][i];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  nvtxRangePushA("transpose");
  cudaProfilerStart();
  const int tiles = ((cols - 1) / kTile + 1) * ((rows - 1) / kTile + 1);
  transpose_tiles<<<tiles, dim3(kTile, kRows)>>>(in, out, rows, cols);
  cudaProfilerStop();
  nvtxRangePop();
}
