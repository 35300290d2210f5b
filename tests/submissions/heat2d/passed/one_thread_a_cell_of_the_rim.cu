// score: 100
// Threads load the tile and each side of its halo separately, without the corners. The tiles have
// 64 x 64 cells in dynamic shared memory, and the blocks 64 x 16 threads.
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

const int T = 64;

__global__ void __launch_bounds__(1024)
    shared_kernel(float* __restrict__ next, const float* __restrict__ curr, int gx, int nx, int ny,
                  int order, float xcfl, float ycfl) {
  extern __shared__ float tile[];
  const int r = order / 2;
  const int pitch = T + order;
  const int width = min(T, nx - (int)blockIdx.x * T);
  const int height = min(T, ny - (int)blockIdx.y * T);
  const float* from = curr + (blockIdx.y * T + r) * gx + blockIdx.x * T + r;
  const int tx = threadIdx.x;
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    if (tx < width) tile[(y + r) * pitch + tx + r] = __ldg(from + y * gx + tx);
    if (tx < r) {
      tile[(y + r) * pitch + tx] = __ldg(from + y * gx + tx - r);
      tile[(y + r) * pitch + r + width + tx] = __ldg(from + y * gx + width + tx);
    }
  }
  if (threadIdx.y < r && tx < width) {
    const int y = threadIdx.y;
    tile[y * pitch + tx + r] = __ldg(from + (y - r) * gx + tx);
    tile[(r + height + y) * pitch + tx + r] = __ldg(from + (height + y) * gx + tx);
  }
  __syncthreads();
  if (tx >= width) return;
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    const float* u = tile + (y + r) * pitch + tx + r;
    next[(blockIdx.y * T + y + r) * gx + blockIdx.x * T + tx + r] =
        u[0] + xcfl * second_difference(u, 1, order) + ycfl * second_difference(u, pitch, order);
  }
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  global_kernel<<<grid, block>>>(next, curr, gx, nx, ny, order, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  dim3 grid((nx + T - 1) / T, (ny + T - 1) / T);
  size_t bytes = (T + order) * (T + order) * sizeof(float);
  shared_kernel<<<grid, dim3(T, 16), bytes>>>(next, curr, gx, nx, ny, order, xcfl, ycfl);
}
