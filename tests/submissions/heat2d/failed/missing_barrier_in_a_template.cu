// score: 25
// The kernel is a template, and its threads use cells before other warps have loaded them. This is
// one mistake, though it occurs in several kernels and functions.
#include "heat2d.h"

const int T = 64;

template <int R>
__device__ __forceinline__ float at(const float (&tile)[T + 2 * R][T + 2 * R], int x, int y) {
  return tile[y + R][x + R];
}

template <int R>
__device__ __forceinline__ void put(float (&tile)[T + 2 * R][T + 2 * R], int x, int y, float cell) {
  tile[y][x] = cell;
}

__constant__ float weights[3][5] = {{-2, 1},
                                    {-5.0f / 2, 4.0f / 3, -1.0f / 12},
                                    {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560}};

__global__ void plain(float* next, const float* curr, int gx, int nx, int ny, int radius, int w,
                      float xcfl, float ycfl) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float* u = curr + (y + radius) * gx + x + radius;
  float sum = u[0] + (xcfl + ycfl) * weights[w][0] * u[0];
  for (int r = 1; r <= radius; ++r) {
    sum += xcfl * weights[w][r] * (u[-r] + u[r]) + ycfl * weights[w][r] * (u[-r * gx] + u[r * gx]);
  }
  next[u - curr] = sum;
}

template <int R>
__global__ void tiled(float* next, const float* curr, int gx, int nx, int ny, int w, float xcfl,
                      float ycfl) {
  __shared__ float tile[T + 2 * R][T + 2 * R];
  int left = blockIdx.x * T;
  int top = blockIdx.y * T;
  for (int y = threadIdx.y; y < T + 2 * R; y += blockDim.y) {
    for (int x = threadIdx.x; x < T + 2 * R; x += blockDim.x) {
      if (left + x < gx && top + y < ny + 2 * R) {
        put<R>(tile, x, y, curr[(top + y) * gx + left + x]);
      }
    }
  }
  for (int y = threadIdx.y; y < T; y += blockDim.y) {
    for (int x = threadIdx.x; x < T; x += blockDim.x) {
      if (left + x >= nx || top + y >= ny) continue;
      float sum = at<R>(tile, x, y);  // expect: no __syncthreads() between line 44 and line 51
      sum += (xcfl + ycfl) * weights[w][0] * sum;
      for (int r = 1; r <= R; ++r) {
        sum += xcfl * weights[w][r] * (at<R>(tile, x - r, y) + at<R>(tile, x + r, y));
        sum += ycfl * weights[w][r] * (at<R>(tile, x, y - r) + at<R>(tile, x, y + r));
      }
      next[(top + y + R) * gx + left + x + R] = sum;
    }
  }
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  int w = order == 8 ? 2 : order / 4;
  plain<<<grid, block>>>(next, curr, gx, nx, ny, order / 2, w, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  dim3 block(32, 8);
  dim3 grid((nx + T - 1) / T, (ny + T - 1) / T);
  if (order == 2) tiled<1><<<grid, block>>>(next, curr, gx, nx, ny, 0, xcfl, ycfl);
  if (order == 4) tiled<2><<<grid, block>>>(next, curr, gx, nx, ny, 1, xcfl, ycfl);
  if (order == 8) tiled<4><<<grid, block>>>(next, curr, gx, nx, ny, 2, xcfl, ycfl);
}
