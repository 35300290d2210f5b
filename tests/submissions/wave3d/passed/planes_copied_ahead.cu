// score: 100
// While a plane is computed, the tile of the next one is copied asynchronously to a second place.
#include <cuda_pipeline.h>

#include "wave3d.h"

constexpr int R = 4;
constexpr int TX = 32;
constexpr int TY = 16;
constexpr int DEPTH = 64;
constexpr int WIDTH = TX + 2 * R;
constexpr int HEIGHT = TY + 2 * R;

struct Coefficients {
  float c[R + 1];
};

__global__ void march(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                      int ny, int nz, Coefficients k) {
  __shared__ float tile[2][HEIGHT][WIDTH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int left = blockIdx.x * TX, top = blockIdx.y * TY;
  const int x = left + tx + R, y = top + ty + R;
  const int begin = blockIdx.z * DEPTH + R;
  const int end = min(begin + DEPTH, nz - R);
  const bool inside = x < nx - R && y < ny - R;
  const int plane = nx * ny;

  auto copy = [&](int z) {
    for (int row = ty; row < HEIGHT && top + row < ny; row += TY) {
      for (int col = tx; col < WIDTH && left + col < nx; col += TX) {
        __pipeline_memcpy_async(&tile[z % 2][row][col],
                                curr + z * plane + (top + row) * nx + left + col, sizeof(float));
      }
    }
    __pipeline_commit();
  };

  copy(begin);
  const float* const column = curr + y * nx + x;
  float window[2 * R + 1] = {};
  if (inside) {
#pragma unroll
    for (int i = 1; i <= 2 * R; ++i) window[i] = column[(begin - R - 1 + i) * plane];
  }
  for (int z = begin; z < end; ++z) {
    if (z + 1 < end) copy(z + 1);
#pragma unroll
    for (int i = 0; i < 2 * R; ++i) window[i] = window[i + 1];
    if (inside) window[2 * R] = column[(z + R) * plane];
    __pipeline_wait_prior(z + 1 < end ? 1 : 0);
    __syncthreads();
    if (inside) {
      const auto& t = tile[z % 2];
      float sum = 3 * k.c[0] * window[R];
#pragma unroll
      for (int r = 1; r <= R; ++r) {
        sum += k.c[r] * (t[ty + R][tx + R - r] + t[ty + R][tx + R + r] + t[ty + R - r][tx + R] +
                         t[ty + R + r][tx + R] + window[R - r] + window[R + r]);
      }
      const int cell = z * plane + y * nx + x;
      next[cell] = 2 * window[R] - prev[cell] + vsq[cell] * sum;
    }
    __syncthreads();
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  const dim3 grid((nx - 2 * R + TX - 1) / TX, (ny - 2 * R + TY - 1) / TY,
                  (nz - 2 * R + DEPTH - 1) / DEPTH);
  march<<<grid, dim3(TX, TY)>>>(next, curr, prev, vsq, nx, ny, nz,
                                {{c[0], c[1], c[2], c[3], c[4]}});
}
