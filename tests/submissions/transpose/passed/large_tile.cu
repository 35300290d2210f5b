// score: 100
// A template uses a 64x64 tile in dynamic shared memory, with sixteen elements for each thread.
#include "transpose.h"

template <int kTile, int kThreadRows>
__global__ void transpose_large(const float* __restrict__ in, float* __restrict__ out, int rows,
                                int cols) {
  extern __shared__ float tile[];
  constexpr int kPitch = kTile + 1;
  const int tile_row = blockIdx.y * kTile;
  const int tile_col = blockIdx.x * kTile;
#pragma unroll
  for (int i = 0; i < kTile; i += kThreadRows) {
    const int row = tile_row + threadIdx.y + i;
    const int col = tile_col + threadIdx.x;
    if (row < rows && col < cols) {
      tile[(threadIdx.y + i) * kPitch + threadIdx.x] = in[row * cols + col];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kTile; i += kThreadRows) {
    const int row = tile_col + threadIdx.y + i;
    const int col = tile_row + threadIdx.x;
    if (row < cols && col < rows) {
      out[row * rows + col] = tile[threadIdx.x * kPitch + threadIdx.y + i];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  constexpr int kTile = 64;
  constexpr int kThreadRows = 4;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  const size_t shared_bytes = kTile * (kTile + 1) * sizeof(float);
  transpose_large<kTile, kThreadRows>
      <<<grid, dim3(kTile, kThreadRows), shared_bytes>>>(in, out, rows, cols);
}
