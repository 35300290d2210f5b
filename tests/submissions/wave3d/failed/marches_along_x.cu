// score: 55
// Everything is shared as it should be, but blocks march along rows: warps touch a column of y.
#include "wave3d.h"

__constant__ float k[5];

const int W = 32;
const int H = 16;

__global__ void wave(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                     int ny, int nz) {
  __shared__ float tile[H + 8][W + 8];
  int tx = threadIdx.x + 4;
  int ty = threadIdx.y + 4;
  int y = blockIdx.x * W + tx;
  int z = blockIdx.y * H + ty;
  bool here = y < ny && z < nz;
  bool inside = y < ny - 4 && z < nz - 4;
  int plane = nx * ny;
  int i = z * plane + y * nx;
  float q[9];
  for (int r = 1; r < 9; r++) q[r] = here ? curr[i + (r - 1)] : 0;
  i += 4;
  for (int x = 4; x < nx - 4; x++) {
#pragma unroll
    for (int r = 0; r < 8; r++) q[r] = q[r + 1];
    q[8] = here ? curr[i + 4] : 0;  // expect: sectors
    __syncthreads();
    if (here) tile[ty][tx] = q[4];
    if (threadIdx.x < 4 && z < nz) {
      tile[ty][tx - 4] = curr[i - 4 * nx];
      if (y + W < ny) tile[ty][tx + W] = curr[i + W * nx];
    }
    if (threadIdx.y < 4 && y < ny) {
      tile[ty - 4][tx] = curr[i - 4 * plane];
      if (z + H < nz) tile[ty + H][tx] = curr[i + H * plane];
    }
    __syncthreads();
    if (inside) {
      float sum = 3 * k[0] * q[4];
      for (int r = 1; r <= 4; r++) {
        sum += k[r] * (tile[ty][tx - r] + tile[ty][tx + r]);
        sum += k[r] * (tile[ty - r][tx] + tile[ty + r][tx]);
        sum += k[r] * (q[4 - r] + q[4 + r]);
      }
      next[i] = 2 * q[4] - prev[i] + vsq[i] * sum;
    }
    i++;
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  cudaMemcpyToSymbol(k, c, sizeof k);
  dim3 block(W, H);
  dim3 grid((ny - 8 + W - 1) / W, (nz - 8 + H - 1) / H);
  wave<<<grid, block>>>(next, curr, prev, vsq, nx, ny, nz);
}
