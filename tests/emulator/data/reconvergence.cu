// Lanes meet at warp-synchronous instructions in different branches, as they may since Volta. Each
// kernel runs with the grid and block of the comment before it; "in" is 64 KiB of zeros. Every
// thread that gets the right result writes 1.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr unsigned kAll = 0xffffffff;

// ---- __syncwarp() in each branch ----

// <<<1, 32>>>
extern "C" __global__ void syncwarp_in_both_branches(int* out, const int* in) {
  __shared__ int tile[32];
  const int lane = in[threadIdx.x] + threadIdx.x;
  int got = 0;
  if (lane < 16) {
    tile[lane] = 100 + lane;
    __syncwarp();
    got = tile[lane + 16] - 200;
  } else {
    tile[lane] = 200 + lane;
    __syncwarp();
    got = tile[lane - 16] - 100;
  }
  out[lane] = got == (lane ^ 16);
}

// The halves exchange values in loops of different code: every round reads what the other wrote.
// <<<2, 96>>>
extern "C" __global__ void ping_pong(int* out, const int* in) {
  __shared__ int ball[3];
  const int warp = threadIdx.x / 32, lane = in[threadIdx.x] + threadIdx.x % 32;
  int right = 1;
  if (lane == 7) ball[warp] = 0;
  __syncwarp();
  if (lane % 2 == 0) {
    for (int round = 0; round < 5; ++round) {
      if (lane == 0) ball[warp] += 1;
      __syncwarp();
      right = right && ball[warp] == 2 * round + 1;
      __syncwarp();
      __syncwarp();
      right = right && ball[warp] == 2 * round + 2;
      __syncwarp();
    }
  } else {
    for (int round = 10; round < 20; round += 2) {
      __syncwarp();
      right = right && ball[warp] == round - 9;
      __syncwarp();
      if (lane == 1) ball[warp] += 1;
      __syncwarp();
      right = right && ball[warp] == round - 8;
      __syncwarp();
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = right;
}

// The lanes take four cases, one of which calls a function.
__device__ __noinline__ int sync_in_function(int* tile, int lane) {
  tile[lane] = lane;
  __syncwarp();
  return tile[lane ^ 3];
}
// <<<1, 32>>>
extern "C" __global__ void four_ways(int* out, const int* in) {
  __shared__ int tile[32];
  const int lane = in[threadIdx.x] + threadIdx.x;
  int got = 0;
  switch (lane % 4) {
    case 0:
      tile[lane] = lane;
      __syncwarp();
      got = tile[lane ^ 3];
      break;
    case 1:
      got = sync_in_function(tile, lane);
      break;
    case 2:
      tile[lane] = lane + in[0];
      __syncwarp();
      got = tile[lane ^ 3] + in[1];
      break;
    default:
      tile[lane] = lane - in[0];
      if (lane < 16) {
        __syncwarp();
        got = tile[lane ^ 3] - in[1];
      } else {
        __syncwarp();
        got = tile[lane ^ 3] - in[2];
      }
      break;
  }
  const int sum = got + __shfl_xor_sync(kAll, lane, 3);  // all lanes are together again
  out[lane] = sum == 2 * (lane ^ 3);
}

// Lanes with the same mask meet among themselves.
// <<<1, 32>>>
extern "C" __global__ void two_pairs_of_branches(int* out, const int* in) {
  __shared__ int tile[32];
  const int lane = in[threadIdx.x] + threadIdx.x;
  const unsigned mask = lane < 16 ? 0x0000ffff : 0xffff0000;
  if (lane % 2 == 0) {
    tile[lane] = lane;
    __syncwarp(mask);
    out[lane] = tile[lane + 1] == lane + 1;
  } else {
    tile[lane] = lane;
    __syncwarp(mask);
    out[lane] = tile[lane - 1] == lane - 1;
  }
}

// The others have done something of their own, and have ended.
// <<<1, 32>>>
extern "C" __global__ void some_end_on_their_way(int* out, const int* in) {
  __shared__ int tile[32];
  const int lane = in[threadIdx.x] + threadIdx.x;
  if (lane >= 20) {
    out[lane] = 1;
    asm volatile("exit;");  // nvcc would let a return wait where the branches below end
  }
  if (lane < 10) {
    tile[lane] = lane;
    __syncwarp();
    out[lane] = tile[lane + 10] == lane + 10;
  } else {
    tile[lane] = lane;
    __syncwarp();
    out[lane] = tile[lane - 10] == lane - 10;
  }
}

// ---- Values of lanes in another branch ----

// <<<1, 32>>>
extern "C" __global__ void shuffle_across(int* out, const int* in) {
  const int lane = in[threadIdx.x] + threadIdx.x;
  int got = 0;
  if (lane < 16) {
    const int mine = lane * 3 + in[0];
    got = __shfl_xor_sync(kAll, mine, 16) == (lane ^ 16) * 5;
  } else {
    int mine = lane * 5 - in[1];
    mine = __shfl_xor_sync(kAll, mine, 16);
    got = mine == (lane ^ 16) * 3;
  }
  out[lane] = got;
}

// <<<1, 64>>>
extern "C" __global__ void votes_across(int* out, const int* in) {
  const int lane = in[threadIdx.x] + threadIdx.x % 32;
  int got = 0;
  if (lane % 3 == 0) {
    const unsigned some = __ballot_sync(kAll, lane < 6);
    const int all = __all_sync(kAll, lane != 31);
    const int sum = __reduce_add_sync(kAll, lane);
    const unsigned same = __match_any_sync(kAll, lane % 3);
    got = some == 0xb603f && !all && sum == 496 && same == 0x49249249;
  } else {
    const unsigned some = __ballot_sync(kAll, (lane >= 12 && lane < 20) || lane < 6);
    const int all = __all_sync(kAll, lane != 31);
    const int sum = __reduce_add_sync(kAll, lane + in[0]);
    const unsigned same = __match_any_sync(kAll, lane % 3 + in[1]);
    got = some == 0xb603f && !all && sum == 496 &&
          same == (lane % 3 == 1 ? 0x92492492u : 0x24924924u);
  }
  out[threadIdx.x] = got;
}

// ---- Barriers of the block ----

// sync() of a block is a barrier.sync, for which lanes may come from anywhere.
// <<<2, 96>>>
extern "C" __global__ void barrier_in_both_branches(int* out, const int* in) {
  __shared__ int tile[96];
  const cg::thread_block block = cg::this_thread_block();
  const int i = in[threadIdx.x] + threadIdx.x;
  int got = 0;
  if (i % 2 == 0) {
    tile[i] = i;
    block.sync();
    got = tile[95 - i];
  } else {
    tile[i] = i - in[0];
    block.sync();
    got = tile[95 - i] + in[1];
  }
  block.sync();
  tile[i] = got;
  block.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[95 - i] == i;
}

// <<<1, 64>>>
extern "C" __global__ void barrier_in_one_branch(int* out, const int* in) {
  const cg::thread_block block = cg::this_thread_block();
  const int i = in[threadIdx.x] + threadIdx.x;
  int value = 1;
  if (i % 2 == 0) {
    block.sync();  // says: barrier_divergence
    value += in[i];
  }
  out[threadIdx.x] = value;
}

// <<<1, 64>>>
extern "C" __global__ void aligned_barriers_in_both_branches(int* out, const int* in) {
  const int i = in[threadIdx.x] + threadIdx.x;
  int value = 1;
  if (i % 2 == 0) {
    __syncthreads();  // says: barrier_divergence
    value += in[i];
  } else {
    __syncthreads();  // says: barrier_divergence
    value -= in[i];
  }
  out[threadIdx.x] = value;
}

// ---- Lanes that never come ----

// One branch syncs twice, the other once: its lanes wait where the branches end.
// <<<1, 32>>>
extern "C" __global__ void twice_and_once(int* out, const int* in) {
  const int lane = in[threadIdx.x] + threadIdx.x;
  int value = 0;
  if (lane < 16) {
    __syncwarp();
    value = in[lane];
    __syncwarp();  // says: warp_sync_mask
    value += in[lane + 1];
  } else {
    __syncwarp();
    value = in[lane] * 2;
  }
  out[threadIdx.x] = value + 1;
}

// A shuffle does not meet a vote.
// <<<1, 32>>>
extern "C" __global__ void shuffle_and_vote(int* out, const int* in) {
  const int lane = in[threadIdx.x] + threadIdx.x;
  int value = 0;
  if (lane < 16) {
    value = __shfl_xor_sync(kAll, lane, 1);  // says: warp_sync_mask
  } else {
    value = __any_sync(kAll, lane);  // says: warp_sync_mask
  }
  out[threadIdx.x] = value;
}

// Shuffles of different kinds, or with different masks, do not meet.
// <<<1, 32>>>
extern "C" __global__ void shuffles_that_differ(int* out, const int* in) {
  const int lane = in[threadIdx.x] + threadIdx.x;
  int value = 0;
  if (lane < 16) {
    value = __shfl_up_sync(kAll, lane, 1);  // says: warp_sync_mask
  } else {
    value = __shfl_down_sync(kAll, lane, 1);  // says: warp_sync_mask
  }
  out[threadIdx.x] = value;
}

// <<<1, 32>>>
extern "C" __global__ void masks_that_differ(int* out, const int* in) {
  const int lane = in[threadIdx.x] + threadIdx.x;
  int value = 0;
  if (lane < 16) {
    value = __shfl_xor_sync(kAll, lane, 1);  // says: warp_sync_mask
  } else {
    value = __shfl_xor_sync(0xffff0000, lane, 1);
  }
  out[threadIdx.x] = value + 1;
}

// Some lanes are in a third branch.
// <<<1, 32>>>
extern "C" __global__ void two_of_three_ways(int* out, const int* in) {
  __shared__ int tile[32];
  const int lane = in[threadIdx.x] + threadIdx.x;
  tile[lane] = lane;
  if (lane < 8) {
    __syncwarp();  // says: warp_sync_mask
    tile[lane] += in[0];
  } else if (lane < 24) {
    __syncwarp();  // says: warp_sync_mask
    tile[lane] -= in[0];
  }
  out[threadIdx.x] = tile[lane];
}

// ---- Races are judged by where lanes meet ----

// Nothing orders the read and the second write.
// <<<1, 32>>>
extern "C" __global__ void writes_after_they_met(int* out, const int* in) {
  __shared__ int tile[32];
  const int lane = in[threadIdx.x] + threadIdx.x;
  if (lane < 16) {
    tile[lane] = 1;
    __syncwarp();
    out[lane] = tile[lane + 16];  // says: shared_race
  } else {
    tile[lane] = 2;
    __syncwarp();
    tile[lane] = 3;
  }
}

// A value from the other branch is as unwritten as the value that its lane has read.
// <<<1, 32>>>
extern "C" __global__ void reads_what_nobody_wrote(int* out, const int* in) {
  __shared__ int tile[64];
  const int lane = in[threadIdx.x] + threadIdx.x;
  int got = 0;
  if (lane < 16) {
    got = __shfl_xor_sync(kAll, tile[lane], 16);  // says: uninitialised_use
  } else {
    tile[lane + 32] = 1;
    got = __shfl_xor_sync(kAll, tile[lane + 32], 16);
  }
  out[threadIdx.x] = got;
}
