// score: 100
// One kernel handles all orders: the coefficients are in constant memory, and the tile in shared
// memory of the size that the order needs. heat_global numbers the cells in one dimension.
#include <algorithm>

#include "heat2d.h"

constexpr float kTables[3][5] = {{-2, 1},
                                 {-5.0f / 2, 4.0f / 3, -1.0f / 12},
                                 {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560}};

__constant__ float weights[5];

__device__ float next_of(const float* cell, int pitch, int reach, float xcfl, float ycfl) {
  float along_x = weights[0] * cell[0];
  float along_y = along_x;
  for (int k = reach; k > 0; --k) {
    along_x += weights[k] * (cell[-k] + cell[k]);
    along_y += weights[k] * (cell[-k * pitch] + cell[k * pitch]);
  }
  return cell[0] + xcfl * along_x + ycfl * along_y;
}

__global__ void step_global(float* next, const float* curr, int gx, int nx, int ny, int reach,
                            float xcfl, float ycfl) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += step) {
    const int at = (i / nx + reach) * gx + i % nx + reach;
    next[at] = next_of(curr + at, gx, reach, xcfl, ycfl);
  }
}

constexpr int kWidth = 64;
constexpr int kHeight = 32;

__global__ void step_shared(float* next, const float* curr, int gx, int nx, int ny, int reach,
                            float xcfl, float ycfl) {
  extern __shared__ float tile[];
  const int pitch = kWidth + 2 * reach;
  const int left = blockIdx.x * kWidth;
  const int top = blockIdx.y * kHeight;
  const int width = min(pitch, gx - left);
  const int height = min(kHeight + 2 * reach, ny + 2 * reach - top);
  for (int y = threadIdx.y; y < height; y += blockDim.y) {
    for (int x = threadIdx.x; x < width; x += blockDim.x) {
      tile[y * pitch + x] = curr[(top + y) * gx + left + x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < height - 2 * reach; y += blockDim.y) {
    for (int x = threadIdx.x; x < width - 2 * reach; x += blockDim.x) {
      next[(top + y + reach) * gx + left + x + reach] =
          next_of(&tile[(y + reach) * pitch + x + reach], pitch, reach, xcfl, ycfl);
    }
  }
}

static void choose(int order) {
  const int table = order == 8 ? 2 : order / 2 - 1;
  cudaMemcpyToSymbol(weights, kTables[table], sizeof(weights));
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  choose(order);
  const int blocks = std::min((nx * ny + 191) / 192, 512);
  step_global<<<blocks, 192>>>(next, curr, gx, nx, ny, order / 2, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  choose(order);
  const size_t bytes = sizeof(float) * (kWidth + order) * (kHeight + order);
  const dim3 grid((nx + kWidth - 1) / kWidth, (ny + kHeight - 1) / kHeight);
  step_shared<<<grid, dim3(32, 8), bytes>>>(next, curr, gx, nx, ny, order / 2, xcfl, ycfl);
}
