// score: 100
// One cooperative launch and no atomic of global memory: each block stores its counts as a row, the
// grid waits, and then each bin is added up by one warp of some block, along its column. The number
// of blocks comes from the occupancy. The matrix is transposed so that a column is contiguous.
#include <cooperative_groups.h>

#include <algorithm>

#include "histogram.h"

namespace {

namespace cg = cooperative_groups;
constexpr int kThreads = 512;
constexpr int kWarp = 32;
constexpr int kLeast = 24 * 1024;  // bytes of a block

__global__ void Count(const unsigned char* bytes, unsigned* columns, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins * kWarp];
  const cg::grid_group grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<kWarp>(block);
  for (unsigned i = block.thread_rank(); i < kBins * kWarp; i += kThreads) counts[i] = 0u;
  cg::sync(block);
  unsigned* const own = &counts[warp.thread_rank()];
  const auto* const quads = reinterpret_cast<const uchar4*>(bytes);
  for (unsigned long long i = grid.thread_rank(); i < n / 4u; i += grid.size()) {
    const uchar4 quad = quads[i];
    atomicAdd(own + quad.x * kWarp, 1u);
    atomicAdd(own + quad.y * kWarp, 1u);
    atomicAdd(own + quad.z * kWarp, 1u);
    atomicAdd(own + quad.w * kWarp, 1u);
  }
  if (grid.thread_rank() < n % 4u) atomicAdd(own + bytes[n - 1 - grid.thread_rank()] * kWarp, 1u);
  cg::sync(block);
  if (block.thread_rank() < kBins) {
    const unsigned bin = block.thread_rank();
    unsigned sum = 0;
#pragma unroll 8
    for (unsigned c = 0; c < kWarp; ++c) sum += counts[bin * kWarp + ((c + bin) & 31u)];
    columns[bin * gridDim.x + blockIdx.x] = sum;
  }
  grid.sync();
  const unsigned warps = gridDim.x * warp.meta_group_size();
  for (unsigned bin = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank(); bin < kBins;
       bin += warps) {
    unsigned sum = 0;
    for (unsigned b = warp.thread_rank(); b < gridDim.x; b += kWarp) {
      sum += columns[bin * gridDim.x + b];
    }
    for (int d = kWarp / 2; d > 0; d /= 2) sum += warp.shfl_down(sum, d);
    if (warp.thread_rank() == 0) bins[bin] = sum;
  }
}

}  // namespace

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  int device = 0, processors = 0, of_processor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, Count, kThreads, 0);
  const int blocks = std::min(processors * of_processor, (n - 1) / kLeast + 1);
  unsigned* columns = nullptr;
  cudaMalloc(&columns, sizeof(unsigned) * kBins * blocks);
  void* arguments[] = {&bytes, &columns, &bins, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(Count), blocks, kThreads, arguments);
  cudaFree(columns);
}
