// The differences are written out in both kernels.
#include "heat2d.h"

__global__ void global_kernel(float* next, const float* curr, int gx, int nx, int ny, int order,
                              float xcfl, float ycfl) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float* u = curr + (y + order / 2) * gx + x + order / 2;
  float dx, dy;
  if (order == 2) {
    dx = u[-1] - 2 * u[0] + u[1];
    dy = u[-gx] - 2 * u[0] + u[gx];
  } else if (order == 4) {
    dx = (-u[-2] + 16 * u[-1] - 30 * u[0] + 16 * u[1] - u[2]) / 12;
    dy = (-u[-2 * gx] + 16 * u[-gx] - 30 * u[0] + 16 * u[gx] - u[2 * gx]) / 12;
  } else {
    dx = -205.0f / 72 * u[0] + 8.0f / 5 * (u[1] + u[-1]) - 1.0f / 5 * (u[2] + u[-2]) +
         8.0f / 315 * (u[3] + u[-3]) - 1.0f / 560 * (u[4] + u[-4]);
    dy = -205.0f / 72 * u[0] + 8.0f / 5 * (u[gx] + u[-gx]) - 1.0f / 5 * (u[2 * gx] + u[-2 * gx]) +
         8.0f / 315 * (u[3 * gx] + u[-3 * gx]) - 1.0f / 560 * (u[4 * gx] + u[-4 * gx]);
  }
  next[u - curr] = u[0] + xcfl * dx + ycfl * dy;
}

const int T = 32;

__global__ void shared_kernel(float* next, const float* curr, int gx, int nx, int ny, int order,
                              float xcfl, float ycfl) {
  __shared__ float tile[T + 8][T + 8];
  const int s = T + 8;
  int left = blockIdx.x * T;
  int top = blockIdx.y * T;
  for (int y = threadIdx.y; y < T + order; y += blockDim.y) {
    for (int x = threadIdx.x; x < T + order; x += blockDim.x) {
      if (left + x < gx && top + y < ny + order) {
        tile[y][x] = curr[(top + y) * gx + left + x];
      }
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < T; y += blockDim.y) {
    for (int x = threadIdx.x; x < T; x += blockDim.x) {
      if (left + x < nx && top + y < ny) {
        const float* u = &tile[y + order / 2][x + order / 2];
        float dx, dy;
        if (order == 2) {
          dx = u[-1] - 2 * u[0] + u[1];
          dy = u[-s] - 2 * u[0] + u[s];
        } else if (order == 4) {
          dx = (-u[-2] + 16 * u[-1] - 30 * u[0] + 16 * u[1] - u[2]) / 12;
          dy = (-u[-2 * s] + 16 * u[-s] - 30 * u[0] + 16 * u[s] - u[2 * s]) / 12;
        } else {
          dx = -205.0f / 72 * u[0] + 8.0f / 5 * (u[1] + u[-1]) - 1.0f / 5 * (u[2] + u[-2]) +
               8.0f / 315 * (u[3] + u[-3]) - 1.0f / 560 * (u[4] + u[-4]);
          dy = -205.0f / 72 * u[0] + 8.0f / 5 * (u[s] + u[-s]) - 1.0f / 5 * (u[2 * s] + u[-2 * s]) +
               8.0f / 315 * (u[3 * s] + u[-3 * s]) - 1.0f / 560 * (u[4 * s] + u[-4 * s]);
        }
        next[(top + y + order / 2) * gx + left + x + order / 2] = u[0] + xcfl * dx + ycfl * dy;
      }
    }
  }
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  global_kernel<<<dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8)>>>(next, curr, gx, nx, ny, order, xcfl,
                                                                   ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  shared_kernel<<<dim3((nx + T - 1) / T, (ny + T - 1) / T), dim3(32, 8)>>>(next, curr, gx, nx, ny, order,
                                                                         xcfl, ycfl);
}
