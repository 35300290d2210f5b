// score: 100
// A block of 32 x 32 threads loads the tile with its halo; the outer threads compute no cell.
#include "heat2d.h"

template <int kOrder>
__device__ float second_difference(const float* u, int s) {
  if (kOrder == 2) return u[-s] - 2 * u[0] + u[s];
  if (kOrder == 4) return (-u[-2 * s] + 16 * u[-s] - 30 * u[0] + 16 * u[s] - u[2 * s]) / 12;
  return -205.0f / 72 * u[0] + 8.0f / 5 * (u[s] + u[-s]) - 1.0f / 5 * (u[2 * s] + u[-2 * s]) +
         8.0f / 315 * (u[3 * s] + u[-3 * s]) - 1.0f / 560 * (u[4 * s] + u[-4 * s]);
}

template <int kOrder>
__global__ void global_kernel(float* next, const float* curr, int gx, int nx, int ny, float xcfl,
                              float ycfl) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float* u = curr + (y + kOrder / 2) * gx + x + kOrder / 2;
  next[u - curr] = u[0] + xcfl * second_difference<kOrder>(u, 1) +
                   ycfl * second_difference<kOrder>(u, gx);
}

const int T = 32;

template <int kOrder>
__global__ void shared_kernel(float* next, const float* curr, int gx, int nx, int ny, float xcfl,
                              float ycfl) {
  const int r = kOrder / 2;
  const int results = T - kOrder;  // a side
  __shared__ float tile[T][T];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int col = blockIdx.x * results + tx;
  int row = blockIdx.y * results + ty;
  if (col < gx && row < ny + kOrder) tile[ty][tx] = curr[row * gx + col];
  __syncthreads();
  bool computes = tx >= r && tx < T - r && ty >= r && ty < T - r;
  if (!computes || col >= nx + r || row >= ny + r) return;
  const float* u = &tile[ty][tx];
  next[row * gx + col] = u[0] + xcfl * second_difference<kOrder>(u, 1) +
                         ycfl * second_difference<kOrder>(u, T);
}

template <int kOrder>
void global_step(float* next, const float* curr, int gx, int nx, int ny, float xcfl, float ycfl) {
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  global_kernel<kOrder><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
}

template <int kOrder>
void shared_step(float* next, const float* curr, int gx, int nx, int ny, float xcfl, float ycfl) {
  dim3 block(T, T);
  const int results = T - kOrder;
  dim3 grid((nx + results - 1) / results, (ny + results - 1) / results);
  shared_kernel<kOrder><<<grid, block>>>(next, curr, gx, nx, ny, xcfl, ycfl);
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  if (order == 2) global_step<2>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 4) global_step<4>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 8) global_step<8>(next, curr, gx, nx, ny, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  if (order == 2) shared_step<2>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 4) shared_step<4>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 8) shared_step<8>(next, curr, gx, nx, ny, xcfl, ycfl);
}
