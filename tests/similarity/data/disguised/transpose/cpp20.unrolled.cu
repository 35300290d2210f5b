// The four rows of a thread are written out.
#include <concepts>

#include "transpose.h"

constexpr int kTile = 32;

template <class T>
concept Element = std::floating_point<T>;

template <Element T>
__global__ void transpose_padded(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (col < cols) {
    if (row < rows) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    if (row + 8 < rows) tile[threadIdx.y + 8][threadIdx.x] = in[(row + 8) * cols + col];
    if (row + 16 < rows) tile[threadIdx.y + 16][threadIdx.x] = in[(row + 16) * cols + col];
    if (row + 24 < rows) tile[threadIdx.y + 24][threadIdx.x] = in[(row + 24) * cols + col];
  }
  __syncthreads();
  col = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (col < rows) {
    if (row < cols) out[row * rows + col] = tile[threadIdx.x][threadIdx.y];
    if (row + 8 < cols) out[(row + 8) * rows + col] = tile[threadIdx.x][threadIdx.y + 8];
    if (row + 16 < cols) out[(row + 16) * rows + col] = tile[threadIdx.x][threadIdx.y + 16];
    if (row + 24 < cols) out[(row + 24) * rows + col] = tile[threadIdx.x][threadIdx.y + 24];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const auto blocks = []<std::integral I>(I elements) { return (elements + kTile - 1) / kTile; };
  transpose_padded<<<dim3(blocks(cols), blocks(rows)), dim3(kTile, 8)>>>(in, out, rows, cols);
}
