// score: 100
// Blocks have 16 x 16 columns and 16 planes, and their threads fill the tile in one dimension. The
// column's registers have names, and the coefficients are in device memory.
#include "wave3d.h"

__global__ void wave(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                     int ny, int nz, const float* c) {
  __shared__ float tile[24 * 24];
  const int left = blockIdx.x * 16;
  const int top = blockIdx.y * 16;
  const int x = left + threadIdx.x + 4;
  const int y = top + threadIdx.y + 4;
  const bool inside = x < nx - 4 && y < ny - 4;
  const int plane = nx * ny;
  const int first = 4 + 16 * blockIdx.z;
  const int column = min(y, ny - 1) * nx + min(x, nx - 1);
  const float* u = curr + first * plane + column;
  float b4 = u[-4 * plane], b3 = u[-3 * plane], b2 = u[-2 * plane], b1 = u[-plane];
  float now = u[0], a1 = u[plane], a2 = u[2 * plane], a3 = u[3 * plane];
  const float c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4];
  for (int z = first; z < min(first + 16, nz - 4); ++z, u += plane) {
    const float a4 = u[4 * plane];
    const int lane = threadIdx.y * 16 + threadIdx.x;
    for (int i = lane; i < 24 * 24; i += 256) {
      const int ty = i / 24;
      const int tx = i % 24;
      const bool corner = (tx < 4 || tx >= 20) && (ty < 4 || ty >= 20);
      const bool own = tx >= 4 && tx < 20 && ty >= 4 && ty < 20;
      if (own || corner || left + tx >= nx || top + ty >= ny) continue;
      tile[i] = curr[z * plane + (top + ty) * nx + left + tx];
    }
    const int at = (threadIdx.y + 4) * 24 + threadIdx.x + 4;
    if (x < nx && y < ny) tile[at] = now;
    __syncthreads();
    if (inside) {
      const float* t = tile + at;
      const float sum = 3 * c0 * now + c1 * (t[-1] + t[1] + t[-24] + t[24] + b1 + a1) +
                        c2 * (t[-2] + t[2] + t[-48] + t[48] + b2 + a2) +
                        c3 * (t[-3] + t[3] + t[-72] + t[72] + b3 + a3) +
                        c4 * (t[-4] + t[4] + t[-96] + t[96] + b4 + a4);
      const int i = z * plane + column;
      next[i] = 2 * now - prev[i] + vsq[i] * sum;
    }
    b4 = b3, b3 = b2, b2 = b1, b1 = now;
    now = a1, a1 = a2, a2 = a3, a3 = a4;
    __syncthreads();
  }
}

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  float* on_device = nullptr;
  cudaMalloc(&on_device, 5 * sizeof(float));
  cudaMemcpy(on_device, c, 5 * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid((nx - 8 + 15) / 16, (ny - 8 + 15) / 16, (nz - 8 + 15) / 16);
  wave<<<grid, dim3(16, 16)>>>(next, curr, prev, vsq, nx, ny, nz, on_device);
  cudaFree(on_device);
}
