// score: 0
// says: must stay as they were before the call
// cudaMemcpy copies all of curr to the output, and with it the frame.
#include "wave3d.h"

__constant__ float coefficients[5];

__global__ void Step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                     int ny, int nz) {
  __shared__ float tile[16 + 8][32 + 8];
  const int x = blockIdx.x * 32 + threadIdx.x + 4, y = blockIdx.y * 16 + threadIdx.y + 4;
  const size_t plane = static_cast<size_t>(nx) * ny;
  const bool inside = x < nx - 4 && y < ny - 4;
  const size_t column = static_cast<size_t>(inside ? y : 0) * nx + (inside ? x : 0);
  float ring[9];
  for (int i = 1; i < 9; ++i) ring[i] = inside ? curr[column + (i - 1) * plane] : 0;
  const int left = blockIdx.x * 32, top = blockIdx.y * 16;
  for (int z = 4; z < nz - 4; ++z) {
#pragma unroll
    for (int i = 0; i < 8; ++i) ring[i] = ring[i + 1];
    ring[8] = inside ? curr[column + (z + 4) * plane] : 0;
    __syncthreads();
    for (int ty = threadIdx.y; ty < 24; ty += 16) {
      for (int tx = threadIdx.x; tx < 40; tx += 32) {
        if (left + tx < nx && top + ty < ny) {
          tile[ty][tx] = curr[z * plane + static_cast<size_t>(top + ty) * nx + left + tx];
        }
      }
    }
    __syncthreads();
    if (inside) {
      const size_t at = column + z * plane;
      const float* t = &tile[threadIdx.y + 4][threadIdx.x + 4];
      float sum = 3 * coefficients[0] * ring[4];
#pragma unroll
      for (int r = 1; r <= 4; ++r) {
        sum += coefficients[r] * (t[-r] + t[r] + t[-40 * r] + t[40 * r] + ring[4 - r] + ring[4 + r]);
      }
      next[at] = 2 * ring[4] - prev[at] + vsq[at] * sum;
    }
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  cudaMemcpyToSymbol(coefficients, c, 5 * sizeof(float));
  cudaMemcpyAsync(next, curr, sizeof(float) * nx * ny * nz, cudaMemcpyDeviceToDevice);
  const dim3 block(32, 16);
  Step<<<dim3((nx - 8 + 31) / 32, (ny - 8 + 15) / 16), block>>>(next, curr, prev, vsq, nx, ny, nz);
}
