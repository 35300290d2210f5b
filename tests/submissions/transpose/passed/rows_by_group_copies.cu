// score: 100
// Each warp, as a group of 32, copies rows of the tile asynchronously.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "transpose.h"

namespace cg = cooperative_groups;

constexpr int kTile = 32;

__global__ void transpose_by_groups(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int tiles_across = (cols + kTile - 1) / kTile;
  const int left = blockIdx.x % tiles_across * kTile;
  const int top = blockIdx.x / tiles_across * kTile;
  const int width = min(kTile, cols - left);
  const int height = min(kTile, rows - top);
  for (int y = warp.meta_group_rank(); y < height; y += warp.meta_group_size()) {
    cg::memcpy_async(warp, tile[y], in + static_cast<size_t>(top + y) * cols + left,
                     sizeof(float) * width);
  }
  cg::wait(warp);
  block.sync();
  const int lane = warp.thread_rank();
  for (int y = warp.meta_group_rank(); y < width; y += warp.meta_group_size()) {
    if (lane < height) out[static_cast<size_t>(left + y) * rows + top + lane] = tile[lane][y];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const int tiles = (rows + kTile - 1) / kTile * ((cols + kTile - 1) / kTile);
  transpose_by_groups<<<tiles, 128>>>(in, out, rows, cols);
}
