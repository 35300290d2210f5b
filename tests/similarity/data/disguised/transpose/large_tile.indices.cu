// Pointers are moved once, and offsets are computed in another way.
#include "transpose.h"

template <int kTile, int kThreadRows>
__global__ void transpose_large(const float* __restrict__ in, float* __restrict__ out, int rows,
                                int cols) {
  extern __shared__ float tile[];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int by = kTile * blockIdx.y, bx = kTile * blockIdx.x;
  const float* from = in + by * cols + bx;
  float* to = out + bx * rows + by;
#pragma unroll
  for (int i = 0; i < kTile; i += kThreadRows) {
    if (ty + i + by < rows && tx + bx < cols) {
      tile[kTile * (i + ty) + (i + ty) + tx] = from[tx + cols * (i + ty)];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kTile; i += kThreadRows) {
    if (cols > ty + i + bx && rows > tx + by) {
      to[tx + i * rows + ty * rows] = tile[i + ty + tx * kTile + tx];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  constexpr int kTile = 64;
  constexpr int kThreadRows = 4;
  const dim3 grid((cols - 1) / kTile + 1, (rows - 1) / kTile + 1);
  transpose_large<kTile, kThreadRows>
      <<<grid, dim3(kTile, kThreadRows), sizeof(float) * kTile * kTile + sizeof(float) * kTile>>>(in, out, rows, cols);
}
