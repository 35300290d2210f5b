#include "wave3d.h"

const int BZ = 8, BY = 8, BX = 32;
const int PZ = BZ + 8, PY = BY + 8, PX = BX + 8;

struct Coefficients {
  float c[5];
};

__global__ void wave(float* __restrict__ next, const float* __restrict__ curr,
                     const float* __restrict__ prev, const float* __restrict__ vsq, int nx, int ny,
                     int nz, Coefficients k);

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  dim3 grid((nx - 8 + BX - 1) / BX, (ny - 8 + BY - 1) / BY, (nz - 8 + BZ - 1) / BZ);
  Coefficients k;
  for (int r = 0; r < 5; r++) k.c[r] = c[r];
  wave<<<grid, dim3(32, 8)>>>(next, curr, prev, vsq, nx, ny, nz, k);
}

__global__ void wave(float* __restrict__ next, const float* __restrict__ curr,
                     const float* __restrict__ prev, const float* __restrict__ vsq, int nx, int ny,
                     int nz, Coefficients k) {
  const int z0 = blockIdx.z * BZ;
  const int y0 = blockIdx.y * BY;
  const int x0 = blockIdx.x * BX;
  __shared__ float box[PZ][PY][PX];
  for (int row = threadIdx.y; row < PY * PZ; row += blockDim.y) {
    const int y = row % PY;
    const int z = row / PY;
    if (y0 + y >= ny || z0 + z >= nz) continue;
    const bool z_halo = z >= BZ + 4 || z < 4;
    const bool y_halo = y >= BY + 4 || y < 4;
    if (z_halo && y_halo) continue;
    for (int x = threadIdx.x; x < PX; x += blockDim.x) {
      const bool x_halo = x >= BX + 4 || x < 4;
      if ((x_halo && (z_halo || y_halo)) || x0 + x >= nx) continue;
      box[z][y][x] = __ldg(curr + ((size_t)(z0 + z) * ny + y0 + y) * nx + x0 + x);
    }
  }
  const int x = threadIdx.x + 4;
  __syncthreads();
  for (int row = threadIdx.y; row < BY * BZ; row += blockDim.y) {
    const int y = row % BY + 4;
    const int z = row / BY + 4;
    if (z0 + z >= nz - 4 || y0 + y >= ny - 4 || x0 + x >= nx - 4) continue;
    float sum = 0;
    const float* u = &box[z][y][x];
    const size_t i = ((size_t)(z0 + z) * ny + y0 + y) * nx + x0 + x;
    for (int r = 4; r > 0; --r) {
      sum += k.c[r] * (u[-r] + u[r] + u[-r * PX] + u[r * PX]);
      sum += k.c[r] * (u[-r * PX * PY] + u[r * PX * PY]);
    }
    sum = fmaf(3 * k.c[0], u[0], sum);
    next[i] = fmaf(vsq[i], sum, 2 * u[0] - prev[i]);
  }
}
