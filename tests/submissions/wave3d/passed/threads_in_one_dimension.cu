// score: 100
// The block has 512 threads in one dimension, two warps wide, and blocks are also numbered in one
// dimension. The coefficients are copied to constant memory in the order of the stream.
#include "wave3d.h"

namespace {

constexpr int kR = 4;
constexpr int kWidth = 64;
constexpr int kHeight = 8;
constexpr int kPitch = kWidth + 2 * kR;

__constant__ float weights[kR + 1];

struct Grids {
  float* next;
  const float *curr, *prev, *vsq;
  int nx, ny, nz;
};

__global__ void step_down(const Grids g, int across, int down, int depth) {
  __shared__ float tile[(kHeight + 2 * kR) * kPitch];
  const int tx = static_cast<int>(threadIdx.x) % kWidth;
  const int ty = static_cast<int>(threadIdx.x) / kWidth;
  const int block = static_cast<int>(blockIdx.x);
  const int x = block % across * kWidth + tx + kR;
  const int y = block / across % down * kHeight + ty + kR;
  const int z0 = block / across / down * depth + kR;
  const int z1 = min(z0 + depth, g.nz - kR);
  const size_t plane = static_cast<size_t>(g.nx) * g.ny;
  const size_t column = static_cast<size_t>(y) * g.nx + x;
  const bool exists = x < g.nx && y < g.ny;
  const bool computes = x < g.nx - kR && y < g.ny - kR;
  const int mine = (ty + kR) * kPitch + tx + kR;

  float near[2 * kR + 1] = {};  // of z - 4 to z + 4
  if (exists) {
#pragma unroll
    for (int i = 1; i <= 2 * kR; ++i) near[i] = g.curr[(z0 - 1 - kR + i) * plane + column];
  }
  for (int z = z0; z != z1; ++z) {
    const float* const here = g.curr + z * plane + column;
#pragma unroll
    for (int i = 0; i < 2 * kR; ++i) near[i] = near[i + 1];
    if (exists) near[2 * kR] = here[kR * plane];
    __syncthreads();
    if (exists) tile[mine] = near[kR];
    if (y < g.ny && tx < kR) {
      tile[mine - kR] = here[-kR];
      if (x + kWidth < g.nx) tile[mine + kWidth] = here[kWidth];
    }
    if (x < g.nx && ty < kR) {
      tile[mine - kR * kPitch] = *(here - kR * g.nx);
      if (y + kHeight < g.ny) tile[mine + kHeight * kPitch] = here[kHeight * g.nx];
    }
    __syncthreads();
    if (computes) {
      float sum = 3 * weights[0] * near[kR];
#pragma unroll
      for (int r = kR; r >= 1; --r) {
        sum += weights[r] * ((near[kR - r] + near[kR + r]) + (tile[mine - r] + tile[mine + r]) +
                             (tile[mine - r * kPitch] + tile[mine + r * kPitch]));
      }
      const size_t cell = z * plane + column;
      g.next[cell] = near[kR] + (near[kR] - g.prev[cell]) + g.vsq[cell] * sum;
    }
  }
}

}  // namespace

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  constexpr int kDepth = 32;
  cudaMemcpyToSymbolAsync(weights, c, sizeof(weights), 0, cudaMemcpyHostToDevice);
  const int across = (nx - 2 * kR + kWidth - 1) / kWidth;
  const int down = (ny - 2 * kR + kHeight - 1) / kHeight;
  const int layers = (nz - 2 * kR + kDepth - 1) / kDepth;
  step_down<<<across * down * layers, kWidth * kHeight>>>({next, curr, prev, vsq, nx, ny, nz},
                                                          across, down, kDepth);
}
