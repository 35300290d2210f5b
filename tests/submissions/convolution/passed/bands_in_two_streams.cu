// score: 100
// The left and the right half of the image are convolved in two streams. The mask is copied in the
// first of them, and the second waits by an event. Two groups of two warps have a tile of 32 x 24
// each, in dynamic shared memory; cooperative groups wait for each group alone, by a named barrier
// in PTX.
#include <cooperative_groups.h>

#include "convolution.h"

namespace cg = cooperative_groups;

namespace {

constexpr int kWide = 32, kHigh = 24, kWarps = 2, kPerThread = kHigh / kWarps;

__constant__ float weights[2 * kMaxRadius + 1][2 * kMaxRadius + 1];

struct Columns {
  int first, last;
};

__global__ void Convolve(const float* in, float* out, int height, int width, int radius,
                         Columns columns) {
  extern __shared__ float memory[];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int pitch = kWide + 2 * radius, rows = kHigh + 2 * radius;
  const int group = threadIdx.z;
  float* const tile = memory + group * pitch * rows;
  const int left = columns.first + blockIdx.x * kWide;
  const int top = (2 * blockIdx.y + group) * kHigh;
  if (top >= height) return;  // the whole group
  const int lane = warp.thread_rank();
  for (int r = threadIdx.y; r < rows; r += kWarps) {
    const size_t row = static_cast<size_t>(min(max(top + r - radius, 0), height - 1)) * width;
    for (int c = lane; c < pitch; c += 32) {
      tile[r * pitch + c] = in[row + min(max(left + c - radius, 0), width - 1)];
    }
  }
  asm volatile("bar.sync %0, 64;" ::"r"(1 + group) : "memory");
  float sums[kPerThread] = {};
  for (int j = 0; j < 2 * radius + 1; ++j) {
    for (int i = 0; i < 2 * radius + 1; ++i) {
      const float weight = weights[j][i];
#pragma unroll
      for (int k = 0; k < kPerThread; ++k) {
        sums[k] += weight * tile[(threadIdx.y + k * kWarps + j) * pitch + lane + i];
      }
    }
  }
  const int x = left + lane;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int y = top + threadIdx.y + k * kWarps;
    if (x < columns.last && y < height) out[static_cast<size_t>(y) * width + x] = sums[k];
  }
}

}  // namespace

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  void* place = nullptr;
  cudaGetSymbolAddress(&place, weights);
  const size_t row = (2 * radius + 1) * sizeof(float);
  cudaMemcpy2DAsync(place, sizeof(weights[0]), mask, row, row, 2 * radius + 1,
                    cudaMemcpyDeviceToDevice, streams[0]);
  cudaEvent_t copied;
  cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
  cudaEventRecord(copied, streams[0]);
  cudaStreamWaitEvent(streams[1], copied, 0);
  const int middle = width / 2 / 32 * 32;
  const Columns halves[2] = {{0, middle}, {middle, width}};
  const size_t room = 2 * sizeof(float) * (kWide + 2 * radius) * (kHigh + 2 * radius);
  for (int h = 0; h < 2; ++h) {
    const int columns = halves[h].last - halves[h].first;
    if (columns == 0) continue;
    const dim3 grid((columns - 1) / kWide + 1, (height - 1) / (2 * kHigh) + 1);
    Convolve<<<grid, dim3(32, kWarps, 2), room, streams[h]>>>(in, out, height, width, radius,
                                                              halves[h]);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaEventDestroy(copied);
}
