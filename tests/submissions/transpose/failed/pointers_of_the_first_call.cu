// score: 0
// says: the first call is right, but the 2nd call in the same process is wrong
// The program keeps the arguments of a launch for each shape, including pointers, as a graph does
// that is captured once. The next arrays of this shape lie elsewhere.
#include <map>
#include <utility>

#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_kept(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < cols && row + i < rows) {
      tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
    }
  }
  __syncthreads();
  col = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < rows && row + i < cols) {
      out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

struct Arrays {
  const float* in;
  float* out;
};

void transpose(const float* in, float* out, int rows, int cols) {
  static std::map<std::pair<int, int>, Arrays> known;
  const Arrays arrays = known.try_emplace({rows, cols}, Arrays{in, out}).first->second;
  dim3 block(kTile, kRows);
  dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kept<<<grid, block>>>(arrays.in, arrays.out, rows, cols);
}
