// Strides are computed once; the tile is one-dimensional.
#include "wave3d.h"

__constant__ float k[5];

const int W = 32;
const int H = 16;
const int P = W + 8;

__global__ void wave(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                     int ny, int nz) {
  __shared__ float tile[(H + 8) * P];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = 4 + tx + W * blockIdx.x;
  int y = 4 + ty + H * blockIdx.y;
  bool here = ny > y && nx > x;
  bool inside = ny - y > 4 && nx - x > 4;
  int plane = ny * nx;
  int rim = 4 * nx;
  float* t = tile + 4 * P + 4 + ty * P + tx;
  const float* u = curr + x + nx * y;
  float q[9];
  for (int r = 0; r < 8; r++) q[r] = here ? u[plane * r] : 0;
  int i = x + nx * (y + 4 * ny);
  for (int z = 4; z < nz - 4; z++) {
    const float* v = curr + i;
    q[(z + 4) % 9] = here ? v[4 * plane] : 0;
    __syncthreads();
    if (here) t[0] = q[z % 9];
    if (tx < 4 && y < ny) {
      t[-4] = v[-4];
      if (x + W < nx) t[W] = v[W];
    }
    if (ty < 4 && x < nx) {
      t[-4 * P] = v[-rim];
      if (y + H < ny) t[H * P] = v[H * nx];
    }
    __syncthreads();
    if (inside) {
      float sum = 3 * k[0] * q[z % 9];
      for (int r = 1; r <= 4; r++) {
        sum += k[r] * (t[-r] + t[r]);
        sum += k[r] * (t[-r * P] + t[r * P]);
        sum += k[r] * (q[(z - r) % 9] + q[(z + r) % 9]);
      }
      next[i] = 2 * q[z % 9] - prev[i] + vsq[i] * sum;
    }
    i += plane;
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  dim3 grid((nx + W - 9) / W, (ny + H - 9) / H);
  cudaMemcpyToSymbol(k, c, 5 * sizeof(float));
  wave<<<grid, dim3(W, H)>>>(next, curr, prev, vsq, nx, ny, nz);
}
