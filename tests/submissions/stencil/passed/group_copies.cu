// score: 100
// The whole block copies its tile with one call of cooperative groups, which waits for it and for
// the block.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "stencil.h"

namespace cg = cooperative_groups;

constexpr int kBlock = 384;
constexpr int kTile = kBlock + 2 * kRadius;

__global__ void sum_neighbours(const float* in, float* out, int n) {
  __shared__ float tile[kTile];
  const cg::thread_block block = cg::this_thread_block();
  const int left = static_cast<int>(block.group_index().x) * kBlock - kRadius;
  const int begin = left < 0 ? 0 : left;
  const int end = left + kTile > n ? n : left + kTile;
  for (int i = block.thread_rank(); i < begin - left; i += block.size()) tile[i] = 0;
  for (int i = end - left + block.thread_rank(); i < kTile; i += block.size()) tile[i] = 0;
  cg::memcpy_async(block, tile + (begin - left), in + begin, sizeof(float) * (end - begin));
  cg::wait(block);
  block.sync();
  const int element = left + kRadius + static_cast<int>(block.thread_rank());
  if (element >= n) return;
  float sum = tile[block.thread_rank()];
  for (unsigned i = 1; i < 2 * kRadius + 1; ++i) sum += tile[block.thread_rank() + i];
  out[element] = sum;
}

void stencil(const float* in, float* out, int n) {
  sum_neighbours<<<(n + kBlock - 1) / kBlock, kBlock>>>(in, out, n);
}
