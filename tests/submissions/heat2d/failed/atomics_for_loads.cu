// score: 25
// says: which the function may only read
// Reads with atomics that add nothing. They are stores to the input.
#include "heat2d.h"

__device__ float second_difference(const float* u, int s, int order) {
  if (order == 2) return u[-s] - 2 * u[0] + u[s];
  if (order == 4) return (-u[-2 * s] + 16 * u[-s] - 30 * u[0] + 16 * u[s] - u[2 * s]) / 12;
  return -205.0f / 72 * u[0] + 8.0f / 5 * (u[s] + u[-s]) - 1.0f / 5 * (u[2 * s] + u[-2 * s]) +
         8.0f / 315 * (u[3 * s] + u[-3 * s]) - 1.0f / 560 * (u[4 * s] + u[-4 * s]);
}

__global__ void global_kernel(float* next, const float* curr, int gx, int nx, int ny, int order,
                              float xcfl, float ycfl) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float* u = curr + (y + order / 2) * gx + x + order / 2;
  next[u - curr] = u[0] + xcfl * second_difference(u, 1, order) +
                   ycfl * second_difference(u, gx, order);
}

__device__ float read(const float* u) {
  return atomicAdd((float*)u, -0.0f);  // expect: global access
}

__global__ void atomic_kernel(float* next, const float* curr, int gx, int nx, int ny, int order,
                              float xcfl, float ycfl) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float* u = curr + (y + order / 2) * gx + x + order / 2;
  float row[9], column[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    bool needed = i - 4 <= order / 2 && 4 - i <= order / 2;
    row[i] = needed ? read(u + i - 4) : 0;
    column[i] = needed ? read(u + (i - 4) * gx) : 0;
  }
  next[u - curr] = row[4] + xcfl * second_difference(row + 4, 1, order) +
                   ycfl * second_difference(column + 4, 1, order);
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  global_kernel<<<grid, block>>>(next, curr, gx, nx, ny, order, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  atomic_kernel<<<grid, dim3(32, 8)>>>(next, curr, gx, nx, ny, order, xcfl, ycfl);
}
