// This program computes a wave in three dimensions, of order 4 in space. Planes march through
// registers, a tile of each is in shared memory, and coefficients are in constant memory. Every
// product is rounded before it is added, so that all devices give the same bits.
#include "check.h"

constexpr int kRadius = 2;
constexpr int kX = 16, kY = 8;

__constant__ float coefficient[kRadius + 1];

__device__ float Times(float a, float b) { return __fmul_rn(a, b); }
__device__ float Plus(float a, float b) { return __fadd_rn(a, b); }

__global__ void Step(const float* now, float* next, int nx, int ny, int nz) {
  __shared__ float tile[kY + 2 * kRadius][kX + 2 * kRadius];
  const int x = blockIdx.x * kX + threadIdx.x + kRadius;
  const int y = blockIdx.y * kY + threadIdx.y + kRadius;
  const bool inside = x < nx - kRadius && y < ny - kRadius;
  const int plane = nx * ny;
  int at = min(y, ny - 1) * nx + min(x, nx - 1);
  float column[2 * kRadius + 1];
  for (int k = 0; k < 2 * kRadius; ++k) column[k + 1] = now[at + k * plane];
  for (int z = kRadius; z < nz - kRadius; ++z) {
    for (int k = 0; k < 2 * kRadius; ++k) column[k] = column[k + 1];
    column[2 * kRadius] = now[at + (z + kRadius) * plane];
    __syncthreads();
    for (int j = threadIdx.y; j < kY + 2 * kRadius; j += kY) {
      for (int i = threadIdx.x; i < kX + 2 * kRadius; i += kX) {
        const int from_x = min(int(blockIdx.x) * kX + i, nx - 1);
        const int from_y = min(int(blockIdx.y) * kY + j, ny - 1);
        tile[j][i] = now[z * plane + from_y * nx + from_x];
      }
    }
    __syncthreads();
    const int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius;
    float sum = Times(coefficient[0], column[kRadius]);
    for (int k = 1; k <= kRadius; ++k) {
      const float x_pair = Plus(tile[ty][tx - k], tile[ty][tx + k]);
      const float y_pair = Plus(tile[ty - k][tx], tile[ty + k][tx]);
      const float z_pair = Plus(column[kRadius - k], column[kRadius + k]);
      sum = Plus(sum, Times(coefficient[k], Plus(Plus(x_pair, y_pair), z_pair)));
    }
    const int here = z * plane + y * nx + x;
    if (inside) next[here] = Plus(column[kRadius], Times(0.1f, sum));
  }
}

int main() {
  const int nx = 41, ny = 27, nz = 15;
  Numbers numbers(6);
  std::vector<float> values(nx * ny * nz);
  for (float& value : values) value = numbers.NextFloat();
  const float coefficients[] = {-7.5f, 1.3333333f, -0.083333336f};
  CHECK(cudaMemcpyToSymbol(coefficient, coefficients, sizeof coefficients));
  Array<float> a(values), b(values);
  const dim3 grid((nx - 2 * kRadius + kX - 1) / kX, (ny - 2 * kRadius + kY - 1) / kY),
      block(kX, kY);
  for (int step = 0; step < 3; ++step) {
    Step<<<grid, block>>>(a.data(), b.data(), nx, ny, nz);
    Step<<<grid, block>>>(b.data(), a.data(), nx, ny, nz);
    CHECK(cudaGetLastError());
    Show("wave", a.Get());
  }
  return 0;
}
