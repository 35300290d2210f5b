// score: 100
// Blocks do not march: a block loads a box of 32 x 8 x 8 cells with its six halos into shared
// memory, slab by slab in one dimension.
#include "wave3d.h"

struct Coefficients {
  float c[5];
};

const int BX = 32, BY = 8, BZ = 8;
const int PX = BX + 8, PY = BY + 8, PZ = BZ + 8;

__global__ void wave(float* __restrict__ next, const float* __restrict__ curr,
                     const float* __restrict__ prev, const float* __restrict__ vsq, int nx, int ny,
                     int nz, Coefficients k) {
  __shared__ float box[PZ][PY][PX];
  const int x0 = blockIdx.x * BX;
  const int y0 = blockIdx.y * BY;
  const int z0 = blockIdx.z * BZ;
  for (int row = threadIdx.y; row < PY * PZ; row += blockDim.y) {
    const int z = row / PY;
    const int y = row % PY;
    if (z0 + z >= nz || y0 + y >= ny) continue;
    const bool y_halo = y < 4 || y >= BY + 4;
    const bool z_halo = z < 4 || z >= BZ + 4;
    if (y_halo && z_halo) continue;
    for (int x = threadIdx.x; x < PX; x += blockDim.x) {
      const bool x_halo = x < 4 || x >= BX + 4;
      if (x0 + x >= nx || (x_halo && (y_halo || z_halo))) continue;
      box[z][y][x] = __ldg(curr + ((size_t)(z0 + z) * ny + y0 + y) * nx + x0 + x);
    }
  }
  __syncthreads();
  const int x = threadIdx.x + 4;
  for (int row = threadIdx.y; row < BY * BZ; row += blockDim.y) {
    const int z = row / BY + 4;
    const int y = row % BY + 4;
    if (x0 + x >= nx - 4 || y0 + y >= ny - 4 || z0 + z >= nz - 4) continue;
    const size_t i = ((size_t)(z0 + z) * ny + y0 + y) * nx + x0 + x;
    const float* u = &box[z][y][x];
    float sum = 0;
    for (int r = 4; r > 0; --r) {
      sum += k.c[r] * (u[-r] + u[r] + u[-r * PX] + u[r * PX]);
      sum += k.c[r] * (u[-r * PX * PY] + u[r * PX * PY]);
    }
    sum = fmaf(3 * k.c[0], u[0], sum);
    next[i] = fmaf(vsq[i], sum, 2 * u[0] - prev[i]);
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  Coefficients k;
  for (int r = 0; r < 5; r++) k.c[r] = c[r];
  dim3 grid((nx - 8 + BX - 1) / BX, (ny - 8 + BY - 1) / BY, (nz - 8 + BZ - 1) / BZ);
  wave<<<grid, dim3(32, 8)>>>(next, curr, prev, vsq, nx, ny, nz, k);
}
