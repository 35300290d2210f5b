// score: 25
// says: the program did not check this error
// A block of 64 x 32 threads is too large, and the program ignores the error.
#include "heat2d.h"

template <int kOrder>
__device__ constexpr float Coefficient(int distance) {
  constexpr float kSecond[] = {-2.0f, 1.0f};
  constexpr float kFourth[] = {-5.0f / 2, 4.0f / 3, -1.0f / 12};
  constexpr float kEighth[] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
  if constexpr (kOrder == 2) return kSecond[distance];
  if constexpr (kOrder == 4) return kFourth[distance];
  if constexpr (kOrder == 8) return kEighth[distance];
}

template <int kOrder>
__device__ float Next(const float* cell, int pitch, float xcfl, float ycfl) {
  float dx2 = Coefficient<kOrder>(0) * cell[0];
  float dy2 = dx2;
#pragma unroll
  for (int r = 1; r <= kOrder / 2; ++r) {
    dx2 += Coefficient<kOrder>(r) * (cell[-r] + cell[r]);
    dy2 += Coefficient<kOrder>(r) * (cell[-r * pitch] + cell[r * pitch]);
  }
  return cell[0] + xcfl * dx2 + ycfl * dy2;
}

template <int kOrder>
__global__ void FromGlobal(float* next, const float* curr, int gx, int nx, int ny, float xcfl,
                           float ycfl) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  int cell = (y + kOrder / 2) * gx + x + kOrder / 2;
  next[cell] = Next<kOrder>(curr + cell, gx, xcfl, ycfl);
}

constexpr int kTile = 64;

template <int kOrder>
__global__ void FromTile(float* next, const float* curr, int gx, int nx, int ny, float xcfl,
                         float ycfl) {
  constexpr int kPitch = kTile + kOrder;
  __shared__ float tile[kPitch][kPitch];
  int left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kPitch && top + y < ny + kOrder; y += 8) {
    for (int x = threadIdx.x; x < kPitch && left + x < gx; x += 32) {
      tile[y][x] = curr[(top + y) * gx + left + x];
    }
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile && top + y < ny; y += 8) {
    for (int x = threadIdx.x; x < kTile && left + x < nx; x += 32) {
      int cell = (top + y + kOrder / 2) * gx + left + x + kOrder / 2;
      next[cell] = Next<kOrder>(&tile[y + kOrder / 2][x + kOrder / 2], kPitch, xcfl, ycfl);
    }
  }
}

template <int kOrder>
void Global(float* next, const float* curr, int gx, int nx, int ny, float xcfl, float ycfl) {
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  FromGlobal<kOrder><<<grid, dim3(32, 8)>>>(next, curr, gx, nx, ny, xcfl, ycfl);
}

template <int kOrder>
void Shared(float* next, const float* curr, int gx, int nx, int ny, float xcfl, float ycfl) {
  dim3 grid((nx + kTile - 1) / kTile, (ny + kTile - 1) / kTile);
  FromTile<kOrder><<<grid, dim3(kTile, kTile)>>>(next, curr, gx, nx, ny, xcfl, ycfl);
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  if (order == 2) Global<2>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 4) Global<4>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 8) Global<8>(next, curr, gx, nx, ny, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  if (order == 2) Shared<2>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 4) Shared<4>(next, curr, gx, nx, ny, xcfl, ycfl);
  if (order == 8) Shared<8>(next, curr, gx, nx, ny, xcfl, ycfl);
}
