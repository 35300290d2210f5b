// score: 100
// Warps specialise: two of six warps fill tiles, four sum. Named barriers say that a tile is full
// or free again; two tiles take turns, and a block walks along a row of tiles of 32 x 16 pixels.
#include "convolution.h"

namespace {

constexpr int kWide = 32, kHigh = 16;
constexpr int kFillers = 64, kSummers = 128, kAll = kFillers + kSummers;
constexpr int kTilesOfBlock = 3;
constexpr int kPitch = kWide + 2 * kMaxRadius, kLines = kHigh + 2 * kMaxRadius;

__constant__ float weights[(2 * kMaxRadius + 1) * (2 * kMaxRadius + 1)];

// Barriers 1 and 2: tile 0 or 1 is full; 3 and 4: it is free.
__device__ void Wait(int barrier) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(kAll) : "memory"); }
__device__ void Arrive(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(kAll) : "memory");
}

__device__ void Fill(float (*tile)[kPitch], const float* in, int height, int width, int radius,
                     int left, int top) {
  const int t = threadIdx.x - kSummers;
  for (int y = t / 32; y < kHigh + 2 * radius; y += kFillers / 32) {
    const int row = min(max(top + y - radius, 0), height - 1);
    for (int x = t % 32; x < kWide + 2 * radius; x += 32) {
      tile[y][x] = in[static_cast<size_t>(row) * width + min(max(left + x - radius, 0), width - 1)];
    }
  }
}

__device__ void Sum(const float (*tile)[kPitch], float* out, int height, int width, int radius,
                    int left, int top) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int size = 2 * radius + 1;
  float sums[4] = {};
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const float weight = weights[j * size + i];
#pragma unroll
      for (int k = 0; k < 4; ++k) sums[k] += weight * tile[warp + 4 * k + j][lane + i];
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int y = top + warp + 4 * k;
    if (y < height && left + lane < width) {
      out[static_cast<size_t>(y) * width + left + lane] = sums[k];
    }
  }
}

__global__ void __launch_bounds__(kAll)
    Specialised(const float* in, float* out, int height, int width, int radius) {
  __shared__ float tiles[2][kLines][kPitch];
  const int top = blockIdx.y * kHigh;
  const int first = blockIdx.x * kTilesOfBlock * kWide;
  const int count = min(kTilesOfBlock, (width - first + kWide - 1) / kWide);
  if (threadIdx.x >= kSummers) {
    for (int i = 0; i < count; ++i) {
      if (i >= 2) Wait(3 + i % 2);
      Fill(tiles[i % 2], in, height, width, radius, first + i * kWide, top);
      __threadfence_block();
      Arrive(1 + i % 2);
    }
  } else {
    for (int i = 0; i < count; ++i) {
      Wait(1 + i % 2);
      Sum(tiles[i % 2], out, height, width, radius, first + i * kWide, top);
      if (i + 2 < count) Arrive(3 + i % 2);
    }
  }
}

}  // namespace

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, mask, size * size * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  const int tiles = (width - 1) / kWide + 1;
  const dim3 grid((tiles - 1) / kTilesOfBlock + 1, (height - 1) / kHigh + 1);
  Specialised<<<grid, kAll>>>(in, out, height, width, radius);
}
