// score: 0
// says: wrong
// The kernel assumes a distance of nx * nz cells between planes, which is right only for ny = nz.
#include "wave3d.h"

struct Coefficients {
  float c[5];
};

__global__ void wave(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                     int ny, int nz, Coefficients k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 4;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 4;
  int z = blockIdx.z * blockDim.z + threadIdx.z + 4;
  if (x >= nx - 4 || y >= ny - 4 || z >= nz - 4) return;
  int i = (z * nz + y) * nx + x;
  float sum = 3 * k.c[0] * curr[i];
  for (int r = 1; r <= 4; r++) {
    sum += k.c[r] * (curr[i - r] + curr[i + r]);
    sum += k.c[r] * (curr[i - r * nx] + curr[i + r * nx]);
    sum += k.c[r] * (curr[i - r * nx * nz] + curr[i + r * nx * nz]);
  }
  next[i] = 2 * curr[i] - prev[i] + vsq[i] * sum;
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  Coefficients k;
  for (int r = 0; r < 5; r++) k.c[r] = c[r];
  dim3 block(32, 4, 2);
  dim3 grid((nx - 8 + 31) / 32, (ny - 8 + 3) / 4, (nz - 8 + 1) / 2);
  wave<<<grid, block>>>(next, curr, prev, vsq, nx, ny, nz, k);
}
