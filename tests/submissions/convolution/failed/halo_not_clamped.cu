// score: 0
// says: the index is negative
// The loop that fills the tile does not clamp the columns. Its condition is no guard.
// Reference solution: a block copies its pixels and a halo around them to shared memory, and sums
// from there. The weights lie in constant memory; all threads need the same one at the same time.
#include "convolution.h"

namespace {

constexpr int kWidth = 32;   // pixels of a block in a row: a warp, so that no bank is asked twice
constexpr int kHeight = 32;  // rows of a block
constexpr int kRows = 8;     // rows of its threads
constexpr int kPixels = kHeight / kRows;  // of each thread
constexpr int kTile = kWidth + 2 * kMaxRadius;
constexpr int kMaxSize = 2 * kMaxRadius + 1;

__constant__ float weights[kMaxSize * kMaxSize];

// Returns the number from 0 to count - 1 that is nearest to i.
__device__ int Nearest(int i, int count) { return min(max(i, 0), count - 1); }

__global__ void SumAround(const float* in, float* out, int height, int width, int radius) {
  __shared__ float tile[kTile][kTile];
  const int left = static_cast<int>(blockIdx.x) * kWidth;
  const int top = static_cast<int>(blockIdx.y) * kHeight;
  const int tx = static_cast<int>(threadIdx.x);
  const int ty = static_cast<int>(threadIdx.y);

  // tile[y][x] is the pixel nearest to (top + y - radius, left + x - radius).
  for (int y = ty; y < kHeight + 2 * radius; y += kRows) {
    const int row = Nearest(top + y - radius, height);
    for (int x = tx; x < kWidth + 2 * radius; x += kWidth) {
      tile[y][x] = in[row * width + left + x - radius];
    }
  }
  __syncthreads();  // the tile is complete before any thread sums

  // A weight is loaded once for all pixels of the thread, which are kRows apart.
  const int size = 2 * radius + 1;
  float sums[kPixels] = {};
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const float weight = weights[j * size + i];
      for (int p = 0; p < kPixels; ++p) sums[p] += weight * tile[ty + p * kRows + j][tx + i];
    }
  }
  const int x = left + tx;
  for (int p = 0; p < kPixels; ++p) {
    const int y = top + ty + p * kRows;
    if (x < width && y < height) out[y * width + x] = sums[p];
  }
}

}  // namespace

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, mask, size * size * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((width - 1) / kWidth + 1, (height - 1) / kHeight + 1);
  SumAround<<<grid, dim3(kWidth, kRows)>>>(in, out, height, width, radius);
}
