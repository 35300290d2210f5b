// Indices are unsigned and 64 bits wide, and have other names.
#include "wave3d.h"

__global__ void advance(float* after, const float* now_grid, const float* before, const float* speed,
                        int nx, int ny, int nz, const float* coef) {
  __shared__ float slab[24 * 24];
  const long x_begin = blockIdx.x * 16;
  const long y_begin = blockIdx.y * 16;
  const long gx = x_begin + threadIdx.x + 4;
  const long gy = y_begin + threadIdx.y + 4;
  const bool active = gx < nx - 4 && gy < ny - 4;
  const long layer = (long)nx * ny;
  const long z_begin = 4 + 16 * blockIdx.z;
  const long line = min(gy, (long)ny - 1) * nx + min(gx, (long)nx - 1);
  const float* p = now_grid + z_begin * layer + line;
  float m4 = p[-4 * layer], m3 = p[-3 * layer], m2 = p[-2 * layer], m1 = p[-layer];
  float mid = p[0], p1 = p[layer], p2 = p[2 * layer], p3 = p[3 * layer];
  const float k0 = coef[0], k1 = coef[1], k2 = coef[2], k3 = coef[3], k4 = coef[4];
  for (long z = z_begin; z < min(z_begin + 16, (long)nz - 4); ++z, p += layer) {
    const float p4 = p[4 * layer];
    const unsigned id = threadIdx.y * 16 + threadIdx.x;
    for (unsigned j = id; j < 24 * 24; j += 256) {
      const unsigned sy = j / 24;
      const unsigned sx = j % 24;
      const bool edge = (sx < 4 || sx >= 20) && (sy < 4 || sy >= 20);
      const bool centre = sx >= 4 && sx < 20 && sy >= 4 && sy < 20;
      if (centre || edge || x_begin + sx >= nx || y_begin + sy >= ny) continue;
      slab[j] = now_grid[z * layer + (y_begin + sy) * nx + x_begin + sx];
    }
    const unsigned here = (threadIdx.y + 4) * 24 + threadIdx.x + 4;
    if (gx < nx && gy < ny) slab[here] = mid;
    __syncthreads();
    if (active) {
      const float* s = slab + here;
      const float total = 3 * k0 * mid + k1 * (s[-1] + s[1] + s[-24] + s[24] + m1 + p1) +
                          k2 * (s[-2] + s[2] + s[-48] + s[48] + m2 + p2) +
                          k3 * (s[-3] + s[3] + s[-72] + s[72] + m3 + p3) +
                          k4 * (s[-4] + s[4] + s[-96] + s[96] + m4 + p4);
      const size_t j = z * layer + line;
      after[j] = 2 * mid - before[j] + speed[j] * total;
    }
    m4 = m3, m3 = m2, m2 = m1, m1 = mid;
    mid = p1, p1 = p2, p2 = p3, p3 = p4;
    __syncthreads();
  }
}

void wave3d_step(float* after, const float* now_grid, const float* before, const float* speed, int nx,
                 int ny, int nz, const float* coef) {
  float* copy = nullptr;
  cudaMalloc(&copy, sizeof(float) * 5);
  cudaMemcpy(copy, coef, sizeof(float) * 5, cudaMemcpyHostToDevice);
  dim3 blocks((nx - 8 + 15) / 16, (ny - 8 + 15) / 16, (nz - 8 + 15) / 16);
  advance<<<blocks, dim3(16, 16)>>>(after, now_grid, before, speed, nx, ny, nz, copy);
  cudaFree(copy);
}
