// Warp-synchronous instructions whose masks do not fit the lanes that execute them, at the lines
// that say so, and kernels that are right. Each kernel runs with the grid and block of the comment
// before it, on 64 KiB of zeros; "in" is another 64 KiB.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr unsigned kAll = 0xffffffff;

// ---- A shuffle from a lane that takes no part ----

// <<<1, 32>>>
extern "C" __global__ void sums_half_a_warp_by_16(int* out, const int* in) {
  int value = in[threadIdx.x] + 1;
  if (threadIdx.x < 16) {
    for (int offset = 16; offset > 0; offset /= 2) {
      value += __shfl_down_sync(0x0000ffff, value, offset);  // says: undefined_shuffle
    }
  }
  if (threadIdx.x == 0) out[0] = value;
}

// <<<1, 32>>>
extern "C" __global__ void sums_what_others_left(int* out, const int* in) {
  if (threadIdx.x + in[0] >= 20) return;
  int value = in[threadIdx.x] + 1;
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(kAll, value, offset);  // says: undefined_shuffle
  }
  if (threadIdx.x == 0) out[0] = value;
}

// <<<1, 40>>>
extern "C" __global__ void sums_a_warp_that_is_not_full(int* out, const int* in) {
  int value = in[threadIdx.x] + 1;
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(kAll, value, offset);  // says: undefined_shuffle
  }
  out[threadIdx.x] = value;
}

// <<<1, 32>>>
extern "C" __global__ void branches_by_what_nobody_gave(int* out, const int* in) {
  if (threadIdx.x + in[0] >= 31) return;
  const int next = __shfl_down_sync(kAll, in[threadIdx.x], 1);  // says: undefined_shuffle
  if (next > 5) out[threadIdx.x] = 1;
}

// <<<1, 32>>>
extern "C" __global__ void keeps_it_in_a_tile(int* out, const int* in) {
  __shared__ double tile[32];
  if (threadIdx.x + in[0] >= 24) return;
  tile[threadIdx.x] = __shfl_down_sync(kAll, in[threadIdx.x] + 0.5, 4);  // says: undefined_shuffle
  __syncwarp();
  out[threadIdx.x] = static_cast<int>(tile[threadIdx.x]);
}

// A value that nobody reads is not a mistake.
// <<<1, 32>>>
extern "C" __global__ void sums_half_a_warp(int* out, const int* in) {
  int value = in[threadIdx.x] + 1;
  if (threadIdx.x < 16) {
    for (int offset = 8; offset > 0; offset /= 2) {
      value += __shfl_down_sync(0x0000ffff, value, offset);
    }
  }
  if (threadIdx.x == 0) out[0] = value;
}

// <<<1, 32>>>
extern "C" __global__ void chooses_by_a_guard(int* out, const int* in) {
  if (threadIdx.x + in[0] >= 20) return;
  const int next = __shfl_down_sync(kAll, in[threadIdx.x] + 1, 1);
  out[threadIdx.x] = threadIdx.x < 19 ? next : 0;
}

// Beyond its segment a lane gets its own value back.
// <<<1, 32>>>
extern "C" __global__ void reads_beyond_the_warp(int* out, const int* in) {
  out[threadIdx.x] = __shfl_down_sync(kAll, in[threadIdx.x] + threadIdx.x, 16);
}

// ---- A mask that names lanes on another path ----

// <<<1, 32>>>
extern "C" __global__ void shuffle_of_half_a_warp(int* out, const int* in) {
  int value = in[threadIdx.x] + threadIdx.x;
  if (value < 16) value += __shfl_down_sync(kAll, value, 1);  // says: warp_sync_mask
  out[threadIdx.x] = value;
}

// <<<1, 32>>>
extern "C" __global__ void ballot_in_a_branch(int* out, const int* in) {
  unsigned mask = 0;
  if (in[threadIdx.x] + threadIdx.x < 20) {
    mask = __ballot_sync(kAll, in[threadIdx.x] == 0);  // says: warp_sync_mask
  }
  out[threadIdx.x] = mask;
}

// <<<1, 32>>>
extern "C" __global__ void syncwarp_in_a_branch(int* out, const int* in) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  if (in[threadIdx.x] + threadIdx.x < 20) {
    __syncwarp();  // says: warp_sync_mask
    tile[threadIdx.x] = 1;
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

// <<<1, 32>>>
extern "C" __global__ void votes_in_a_branch(int* out, const int* in) {
  int value = in[threadIdx.x];
  if (value + threadIdx.x >= 8) {
    value += __any_sync(kAll, value);       // says: warp_sync_mask
    value += __all_sync(kAll, value == 0);  // says: warp_sync_mask
  }
  out[threadIdx.x] = value;
}

// <<<1, 32>>>
extern "C" __global__ void matches_in_a_branch(int* out, const int* in) {
  int value = in[threadIdx.x];
  if (value + threadIdx.x >= 8) {
    value += __match_any_sync(kAll, value);         // says: warp_sync_mask
    value += __reduce_add_sync(kAll, threadIdx.x);  // says: warp_sync_mask
  }
  out[threadIdx.x] = value;
}

// Lanes leave the loop one after the other, so that not all take part in the last round.
// <<<1, 32>>>
extern "C" __global__ void shuffle_in_a_loop(int* out, const int* in) {
  int sum = 0;
  for (int i = threadIdx.x; i < 50 + in[0]; i += 32) {
    sum += __shfl_xor_sync(kAll, in[i] + i, 1);  // says: warp_sync_mask
  }
  out[threadIdx.x] = sum;
}

// ---- A mask that does not name the lane itself ----

// <<<1, 32>>>
extern "C" __global__ void shuffle_beside_its_mask(int* out, const int* in) {
  out[threadIdx.x] = __shfl_sync(0x0000ffff, in[threadIdx.x] + 1, 0);  // says: warp_sync_mask
}

// <<<1, 32>>>
extern "C" __global__ void ballot_beside_its_mask(int* out, const int* in) {
  out[threadIdx.x] = __ballot_sync(0xfffffffe, in[threadIdx.x] == 0);  // says: warp_sync_mask
}

// <<<1, 32>>>
extern "C" __global__ void syncwarp_beside_its_mask(int* out, const int* in) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp(0x00ffffff);  // says: warp_sync_mask
  out[threadIdx.x] = tile[threadIdx.x];
}

// The lanes of a group have to give one mask.
// <<<1, 32>>>
extern "C" __global__ void masks_that_differ(int* out, const int* in) {
  const unsigned mask = threadIdx.x < 16 ? 0x0000ffff : kAll;
  out[threadIdx.x] = __shfl_sync(mask, in[threadIdx.x] + threadIdx.x, 0);  // says: warp_sync_mask
}

// ---- Masks that fit ----

// Lanes that have ended need not take part, though the mask names them.
// <<<1, 32>>>
extern "C" __global__ void shuffle_after_some_have_ended(int* out, const int* in) {
  if (in[threadIdx.x] + threadIdx.x >= 20) return;
  const int value = __shfl_xor_sync(kAll, in[threadIdx.x] + threadIdx.x, 1);
  __syncwarp();
  out[threadIdx.x] = value + __ballot_sync(kAll, value > 3);
}

// <<<1, 20>>>
extern "C" __global__ void shuffle_of_a_part_of_a_warp(int* out, const int* in) {
  const int value = __shfl_xor_sync(kAll, in[threadIdx.x] + threadIdx.x, 1);
  __syncwarp();
  out[threadIdx.x] = value + __ballot_sync(kAll, value > 3);
}

// <<<1, 32>>>
extern "C" __global__ void mask_of_a_ballot(int* out, const int* in) {
  int value = in[threadIdx.x] + threadIdx.x;
  const unsigned small = __ballot_sync(kAll, value < 19);
  if (value < 19) {
    value = __shfl_sync(small, value, 18);
    __syncwarp(small);
    value += __reduce_max_sync(small, value);
  }
  out[threadIdx.x] = value;
}

// <<<1, 32>>>
extern "C" __global__ void halves_with_their_masks(int* out, const int* in) {
  __shared__ int tile[32];
  const int lane = in[threadIdx.x] + threadIdx.x;
  if (lane < 16) {
    tile[lane] = __shfl_down_sync(0x0000ffff, lane, 1, 16);
    __syncwarp(0x0000ffff);
    out[lane] = tile[15 - lane];
  } else {
    tile[lane] = __shfl_up_sync(0xffff0000, lane, 1, 16);
    __syncwarp(0xffff0000);
    out[lane] = tile[47 - lane];
  }
}

// Groups of lanes are at one instruction, each with a mask of its own.
// <<<1, 32>>>
extern "C" __global__ void groups_with_their_masks(int* out, const int* in) {
  const unsigned mask = 0xffu << (threadIdx.x / 8 * 8);
  int value = in[threadIdx.x] + threadIdx.x;
  for (int i = 4; i > 0; i /= 2) value += __shfl_xor_sync(mask, value, i);
  __syncwarp(mask);
  out[threadIdx.x] = value + __popc(__match_any_sync(mask, value));
}

// The other lanes have left the branch and will only end, so that the mask
// may name them, but their values are undefined.
// <<<2, 64>>>
extern "C" __global__ void sum_of_those_in_range(int* out, const int* in) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < 100 + in[0]) {
    int value = in[i] + i;
    for (int offset = 16; offset > 0; offset /= 2) {
      value += __shfl_xor_sync(kAll, value, offset);  // says: undefined_shuffle
    }
    if (threadIdx.x % 32 == 0) out[i / 32] = value > 0 ? 1 : 0;
  }
}

// The others have something to do afterwards, and wait for those in the branch.
// <<<1, 32>>>
extern "C" __global__ void sum_before_the_others_go_on(int* out, const int* in) {
  int value = in[threadIdx.x] + threadIdx.x;
  if (value < 20) {
    value += __shfl_xor_sync(kAll, value, 1);  // says: warp_sync_mask
  }
  out[threadIdx.x] = value;
}

// ---- Cooperative groups ----

// <<<1, 32>>>
extern "C" __global__ void coalesced_group(int* out, const int* in) {
  int value = in[threadIdx.x] + threadIdx.x;
  if (value % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    value = group.shfl(value, group.size() - 1) + group.ballot(value > 9);
    group.sync();
    value += cg::reduce(group, value, cg::plus<int>()) + group.thread_rank();
  }
  out[threadIdx.x] = value;
}

// <<<1, 32>>>
extern "C" __global__ void labelled_groups(int* out, const int* in) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = in[threadIdx.x] + threadIdx.x;
  const auto group = cg::labeled_partition(warp, value % 5);
  const auto side = cg::binary_partition(warp, value < 7);
  group.sync();
  out[threadIdx.x] = cg::reduce(group, value, cg::plus<int>()) + side.size() +
                     cg::reduce(side, value, cg::greater<int>());
}

// <<<1, 64>>>
extern "C" __global__ void reductions_of_tiles(int* out, const int* in) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const int value = in[threadIdx.x] + threadIdx.x;
  int result = cg::reduce(warp, value, cg::plus<int>()) + cg::reduce(eight, value, cg::less<int>());
  if (warp.thread_rank() < 16) {
    const auto half = cg::tiled_partition(cg::coalesced_threads(), 16);
    half.sync();
    result += half.shfl_down(value, 2) + eight.any(value > 3);
  }
  out[threadIdx.x] = result;
}

// A part of a tile calls a function that all of its lanes must call.
// <<<1, 32>>>
extern "C" __global__ void part_of_a_tile(int* out, const int* in) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int value = in[threadIdx.x] + threadIdx.x;
  if (value % 8 < 4) {
    value += tile.shfl_xor(value, 1);  // says: warp_sync_mask
  }
  out[threadIdx.x] = value;
}

// The group was made by more lanes than call its sync.
// <<<1, 32>>>
extern "C" __global__ void group_of_before(int* out, const int* in) {
  int value = in[threadIdx.x] + threadIdx.x;
  const cg::coalesced_group group = cg::coalesced_threads();
  if (value < 5) {
    group.sync();  // says: warp_sync_mask
    value += 1;
  }
  out[threadIdx.x] = value;
}

// <<<1, 64>>>
extern "C" __global__ void copy_of_a_block(int* out, const int* in) {
  __shared__ int tile[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void copy_that_nobody_waits_for(int* out, const int* in) {
  __shared__ int tile[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race uninitialised_use
}

// <<<1, 64>>>
extern "C" __global__ void copies_of_warps(int* out, const int* in) {
  __shared__ int tile[64];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int* const part = tile + 32 * warp.meta_group_rank();
  cg::memcpy_async(warp, part, in + 32 * warp.meta_group_rank(), 128);
  cg::wait(warp);
  out[threadIdx.x] = part[31 - warp.thread_rank()];
}
