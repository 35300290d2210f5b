// Reference solution: a tile of 64 x 64 elements travels through shared memory, so that loads and
// stores both touch neighbouring addresses in neighbouring threads. A thread starts all of its
// loads before it waits for the first: that, and the large tile, keep enough loads in flight for
// 0.93 of a plain copy's bandwidth at 8192 x 8192 on an H200. With one load at a time it is 0.83,
// with a tile of 32 x 32 0.80 (bench/gpu.sh measures the first figure).
#include "transpose.h"

namespace {

constexpr int kTile = 64;                   // elements of each side: two warps wide
constexpr int kBlockRows = 4;               // rows of threads in a block
constexpr int kMoves = kTile / kBlockRows;  // elements that a thread moves

__global__ void TransposeTiles(const float* in, float* out, int rows, int cols) {
  // One unused column: 32 neighbours in a column then lie in 32 different banks.
  __shared__ float tile[kTile][kTile + 1];

  // Tiles are numbered in x alone, because a grid has at most 65,535 blocks in y.
  const int tiles_across = (cols + kTile - 1) / kTile;
  const int first_col = static_cast<int>(blockIdx.x) % tiles_across * kTile;
  const int first_row = static_cast<int>(blockIdx.x) / tiles_across * kTile;

  const int col = first_col + static_cast<int>(threadIdx.x);
  float held[kMoves];
#pragma unroll
  for (int i = 0; i < kMoves; ++i) {
    const int row = first_row + static_cast<int>(threadIdx.y) + i * kBlockRows;
    held[i] = row < rows && col < cols ? in[static_cast<size_t>(row) * cols + col] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < kMoves; ++i) tile[threadIdx.y + i * kBlockRows][threadIdx.x] = held[i];

  __syncthreads();  // every element is in the tile before any is taken out

  // The tile's columns become rows: threadIdx.x now counts along a row of `out`.
  const int out_col = first_row + static_cast<int>(threadIdx.x);
#pragma unroll
  for (int i = 0; i < kMoves; ++i) {
    const int y = static_cast<int>(threadIdx.y) + i * kBlockRows;
    const int out_row = first_col + y;
    if (out_row < cols && out_col < rows) {
      out[static_cast<size_t>(out_row) * rows + out_col] = tile[threadIdx.x][y];
    }
  }
}

}  // namespace

void transpose(const float* in, float* out, int rows, int cols) {
  const int tiles = (rows + kTile - 1) / kTile * ((cols + kTile - 1) / kTile);
  TransposeTiles<<<tiles, dim3(kTile, kBlockRows)>>>(in, out, rows, cols);
}
