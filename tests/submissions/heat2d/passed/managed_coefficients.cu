// score: 100
// The coefficients are a variable that host and device share; kernels read those of their order
// into registers first.
#include "heat2d.h"

__managed__ float coefficients[3][5] = {
    {-2, 1},
    {-5.0f / 2, 4.0f / 3, -1.0f / 12},
    {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560}};

template <int kReach>
struct Stencil {
  float c[kReach + 1];
  float xcfl, ycfl;

  __device__ Stencil(float x, float y) : xcfl(x), ycfl(y) {
#pragma unroll
    for (int k = 0; k <= kReach; ++k) c[k] = coefficients[kReach / 2][k];
  }
  __device__ float operator()(const float* cell, int pitch) const {
    float x = 0, y = 0;
#pragma unroll
    for (int k = kReach; k > 0; --k) {
      x += c[k] * (cell[-k] + cell[k]);
      y += c[k] * (cell[-k * pitch] + cell[k * pitch]);
    }
    const float middle = *cell;
    x += c[0] * middle;
    y += c[0] * middle;
    return middle + xcfl * x + ycfl * y;
  }
};

template <int kReach>
__global__ void step_global(float* next, const float* curr, int gx, int nx, int ny, float xcfl,
                            float ycfl) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const Stencil<kReach> stencil(xcfl, ycfl);
  const int cell = (y + kReach) * gx + x + kReach;
  next[cell] = stencil(curr + cell, gx);
}

constexpr int kSide = 64;

template <int kReach>
__global__ void step_shared(float* next, const float* curr, int gx, int nx, int ny, float xcfl,
                            float ycfl) {
  constexpr int kPitch = kSide + 2 * kReach;
  __shared__ float tile[kPitch][kPitch];
  const Stencil<kReach> stencil(xcfl, ycfl);
  const int left = blockIdx.x * kSide;
  const int top = blockIdx.y * kSide;
  for (int y = threadIdx.y; y < kPitch && top + y < ny + 2 * kReach; y += blockDim.y) {
    for (int x = threadIdx.x; x < kPitch && left + x < gx; x += blockDim.x) {
      tile[y][x] = curr[(top + y) * gx + left + x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide && top + y < ny; y += blockDim.y) {
    for (int x = threadIdx.x; x < kSide && left + x < nx; x += blockDim.x) {
      next[(top + y + kReach) * gx + left + x + kReach] =
          stencil(&tile[y + kReach][x + kReach], kPitch);
    }
  }
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  const dim3 block(32, 8);
  const dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  if (order == 2) step_global<1><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 4) step_global<2><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 8) step_global<4><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  const dim3 block(32, 16);
  const dim3 grid((nx + kSide - 1) / kSide, (ny + kSide - 1) / kSide);
  if (order == 2) step_shared<1><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 4) step_shared<2><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 8) step_shared<4><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
}
