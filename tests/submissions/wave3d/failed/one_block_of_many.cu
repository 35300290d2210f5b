// score: 75
// says: let many blocks share the work
// The grid has a block for 32 x 16 columns, but the first block marches down all of them, one tile
// after the other.
#include "wave3d.h"

__constant__ float k[5];

const int W = 32;
const int H = 16;

__global__ void wave(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                     int ny, int nz) {
  __shared__ float tile[H + 8][W + 8];
  if (blockIdx.x != 0 || blockIdx.y != 0) return;
  const int tx = threadIdx.x + 4, ty = threadIdx.y + 4;
  const int plane = nx * ny;
  for (int top = 0; top < ny - 8; top += H) {
    for (int left = 0; left < nx - 8; left += W) {
      const int x = left + tx, y = top + ty;
      const bool here = x < nx && y < ny, inside = x < nx - 4 && y < ny - 4;
      int i = y * nx + x;
      float q[9];
      for (int r = 0; r < 8; r++) q[r + 1] = here ? curr[i + r * plane] : 0;
      i += 4 * plane;
      for (int z = 4; z < nz - 4; z++, i += plane) {
        for (int r = 0; r < 8; r++) q[r] = q[r + 1];
        q[8] = here ? curr[i + 4 * plane] : 0;
        __syncthreads();
        if (here) tile[ty][tx] = q[4];
        if (threadIdx.x < 4 && y < ny) {
          tile[ty][tx - 4] = curr[i - 4];
          if (x + W < nx) tile[ty][tx + W] = curr[i + W];
        }
        if (threadIdx.y < 4 && x < nx) {
          tile[ty - 4][tx] = curr[i - 4 * nx];
          if (y + H < ny) tile[ty + H][tx] = curr[i + H * nx];
        }
        __syncthreads();
        if (!inside) continue;
        float sum = 3 * k[0] * q[4];
        for (int r = 1; r <= 4; r++) {
          sum += k[r] * (tile[ty][tx - r] + tile[ty][tx + r]);
          sum += k[r] * (tile[ty - r][tx] + tile[ty + r][tx] + q[4 - r] + q[4 + r]);
        }
        next[i] = 2 * q[4] - prev[i] + vsq[i] * sum;
      }
    }
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  cudaMemcpyToSymbol(k, c, sizeof k);
  const dim3 grid((nx - 8 + W - 1) / W, (ny - 8 + H - 1) / H);
  wave<<<grid, dim3(W, H)>>>(next, curr, prev, vsq, nx, ny, nz);
}
