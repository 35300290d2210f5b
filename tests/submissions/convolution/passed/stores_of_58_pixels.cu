// score: 100
// No shared memory: a warp has 64 neighbouring pixels of a row in two registers of its lanes, and
// gets the pixels beside by shuffles. It walks down its strip and keeps the sums of the next rows in
// registers: each row of pixels is added to all sums that contain it. The radius is a template
// parameter.
#include "convolution.h"

namespace {

constexpr int kMost = 2 * kMaxRadius + 1;
constexpr int kRows = 24;  // of results, for each warp
constexpr unsigned kAll = 0xffffffffu;

__constant__ float mask_of_rows[kMost * kMost];

struct Two {
  float low, high;  // the pixels of lane and lane + 32
};

__device__ Two ShiftedLeft(const Two& row, int by) {
  const int lane = threadIdx.x;
  const int from = lane + by & 31;
  const float low = __shfl_sync(kAll, row.low, from);
  const float high = __shfl_sync(kAll, row.high, from);
  const bool wraps = lane + by >= 32;
  return {wraps ? high : low, high};
}

template <int kRadius>
__global__ void __launch_bounds__(64)
    Strips(const float* in, float* out, int height, int width) {
  constexpr int kSize = 2 * kRadius + 1;
  constexpr int kResults = 64 - 2 * kRadius;  // of a row of the strip
  const int strip = blockIdx.x;
  const int first = (blockIdx.y * blockDim.y + threadIdx.y) * kRows;
  if (first >= height) return;
  const int lane = threadIdx.x;
  const int left = strip * kResults - kRadius + lane;  // the column of row.low
  const int columns[2] = {min(max(left, 0), width - 1), min(max(left + 32, 0), width - 1)};
  Two sums[kSize] = {};  // sums[j] is that of the result whose row j of the mask comes next
  const int last = min(first + kRows, height);
  for (int y = first - kRadius; y < last + kRadius; ++y) {
    const float* const line = in + static_cast<size_t>(min(max(y, 0), height - 1)) * width;
    Two row = {line[columns[0]], line[columns[1]]};
    for (int i = 0; i < kSize; ++i) {
      const Two shifted = ShiftedLeft(row, i);
#pragma unroll
      for (int j = 0; j < kSize; ++j) {
        const float weight = mask_of_rows[j * kSize + i];
        sums[j].low += weight * shifted.low;
        sums[j].high += weight * shifted.high;
      }
    }
    // The sum whose last row this was is complete; the others get one row further.
    const int done = y - kRadius;
    const int x = left + kRadius;
    if (done >= first && done < last) {
      float* const result = out + static_cast<size_t>(done) * width;
      if (x < width) result[x] = sums[kSize - 1].low;
      if (lane < kResults - 32 && x + 32 < width) result[x + 32] = sums[kSize - 1].high;
    }
#pragma unroll
    for (int j = kSize - 1; j > 0; --j) sums[j] = sums[j - 1];
    sums[0] = {};
  }
}

template <int kRadius>
void Launch(const float* in, float* out, int height, int width, int radius) {
  if (radius == kRadius) {
    constexpr int kResults = 64 - 2 * kRadius;
    const dim3 grid((width - 1) / kResults + 1, (height - 1) / (2 * kRows) + 1);
    Strips<kRadius><<<grid, dim3(32, 2)>>>(in, out, height, width);
  } else if constexpr (kRadius > 1) {
    Launch<kRadius - 1>(in, out, height, width, radius);
  }
}

}  // namespace

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  cudaMemcpyToSymbolAsync(mask_of_rows, mask, size * size * sizeof(float), 0,
                          cudaMemcpyDeviceToDevice);
  Launch<kMaxRadius>(in, out, height, width, radius);
}
