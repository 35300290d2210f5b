// score: 0
// says: wrong
// The kernel copies the frame of `curr` to `next`, but only the interior may be written.
#include "heat2d.h"

__device__ float second_difference(const float* u, int s, int order) {
  if (order == 2) return u[-s] - 2 * u[0] + u[s];
  if (order == 4) return (-u[-2 * s] + 16 * u[-s] - 30 * u[0] + 16 * u[s] - u[2 * s]) / 12;
  return -205.0f / 72 * u[0] + 8.0f / 5 * (u[s] + u[-s]) - 1.0f / 5 * (u[2 * s] + u[-2 * s]) +
         8.0f / 315 * (u[3 * s] + u[-3 * s]) - 1.0f / 560 * (u[4 * s] + u[-4 * s]);
}

__global__ void global_kernel(float* next, const float* curr, int gx, int nx, int ny, int order,
                              float xcfl, float ycfl) {
  int x = blockIdx.x * blockDim.x + threadIdx.x - order / 2;
  int y = blockIdx.y * blockDim.y + threadIdx.y - order / 2;
  if (x + order / 2 >= gx || y + order / 2 >= ny + order) return;
  const float* u = curr + (y + order / 2) * gx + x + order / 2;
  if (x < 0 || y < 0 || x >= nx || y >= ny) {
    next[u - curr] = u[0];
    return;
  }
  next[u - curr] = u[0] + xcfl * second_difference(u, 1, order) +
                   ycfl * second_difference(u, gx, order);
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  dim3 block(32, 8);
  dim3 grid((gx + 31) / 32, (ny + order + 7) / 8);
  global_kernel<<<grid, block>>>(next, curr, gx, nx, ny, order, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  heat_global(next, curr, gx, nx, ny, order, xcfl, ycfl);
}
