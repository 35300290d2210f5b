// score: 0
// says: memory of the host
// The kernel gets `c` itself, a pointer to memory of the host.
#include "wave3d.h"

__global__ void wave(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                     int ny, int nz, const float* c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 4;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 4;
  int z = blockIdx.z * blockDim.z + threadIdx.z + 4;
  if (x >= nx - 4 || y >= ny - 4 || z >= nz - 4) return;
  int i = (z * ny + y) * nx + x;
  float sum = 3 * c[0] * curr[i];
  for (int r = 1; r <= 4; r++) {
    sum += c[r] * (curr[i - r] + curr[i + r]);
    sum += c[r] * (curr[i - r * nx] + curr[i + r * nx]);
    sum += c[r] * (curr[i - r * nx * ny] + curr[i + r * nx * ny]);
  }
  next[i] = 2 * curr[i] - prev[i] + vsq[i] * sum;
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  dim3 block(32, 4, 2);
  dim3 grid((nx - 8 + 31) / 32, (ny - 8 + 3) / 4, (nz - 8 + 1) / 2);
  wave<<<grid, block>>>(next, curr, prev, vsq, nx, ny, nz, c);
}
