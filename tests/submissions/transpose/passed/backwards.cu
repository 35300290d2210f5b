// score: 100
// Blocks have one dimension, and all loops and lanes run backwards: the last lane has the first
// column.
#include "transpose.h"

constexpr int kTile = 32;

__global__ void transpose_backwards(const float* const in, float* const out, const int rows,
                                    const int cols) {
  __shared__ float tile[kTile * (kTile + 1)];
  const int tiles_across = (cols - 1) / kTile + 1;
  const int tile_number = static_cast<int>(gridDim.x - 1 - blockIdx.x);
  const int col0 = tile_number % tiles_across * kTile;
  const int row0 = tile_number / tiles_across * kTile;
  const int x = kTile - 1 - static_cast<int>(threadIdx.x) % kTile;
  const int last = static_cast<int>(threadIdx.x) / kTile;

  if (col0 + x < cols) {
    const float* p = in + static_cast<size_t>(min(row0 + kTile, rows) - 1 - last) * cols + col0 + x;
    for (int y = min(kTile, rows - row0) - 1 - last; y >= 0; y -= 8) {
      tile[y * (kTile + 1) + x] = *p;
      p -= 8 * cols;
    }
  }
  __syncthreads();
  if (row0 + x < rows) {
    for (int y = min(kTile, cols - col0) - 1 - last; y >= 0; y -= 8) {
      out[static_cast<size_t>(col0 + y) * rows + row0 + x] = tile[x * (kTile + 1) + y];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const int tiles = ((rows - 1) / kTile + 1) * ((cols - 1) / kTile + 1);
  transpose_backwards<<<tiles, 8 * kTile>>>(in, out, rows, cols);
}
