// Threads wait for each other: at a grid's barrier, a lock or a flag (waiting_test.cc).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// Every phase reads what another block wrote in the phase before.
extern "C" __global__ void rotate(int* a, int* b, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const int n = (int)grid.size(), i = (int)grid.thread_rank();
  for (int r = 0; r < rounds; ++r) {
    b[i] = a[(i + 97) % n] + 1;
    grid.sync();
    a[i] = b[i];
    grid.sync();
  }
}

extern "C" __global__ void reduce(const int* in, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ int partial[32];
  int sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
  auto warp = cg::tiled_partition<32>(block);
  sum = cg::reduce(warp, sum, cg::plus<int>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  block.sync();
  if (block.thread_rank() == 0) {
    int total = 0;
    for (int i = 0; i < warp.meta_group_size(); ++i) total += partial[i];
    out[1 + grid.block_rank()] = total;
  }
  grid.sync();
  if (grid.thread_rank() == 0) {
    int total = 0;
    for (int i = 0; i < grid.num_blocks(); ++i) total += out[1 + i];
    out[0] = total;
  }
}

// A lock as it is written for one thread.
extern "C" __global__ void lock(int* mutex, int* sum, int* order, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
    const int ticket = *(volatile int*)sum;
    *(volatile int*)sum = ticket + 1;
    __threadfence();
    atomicExch(mutex, 0);
    order[(blockIdx.x * blockDim.x + threadIdx.x) * rounds + r] = ticket;
  }
}

// The same lock, after which the warp works together again.
extern "C" __global__ void lock_then_shuffle(int* mutex, int* sum, int* out) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
  const int ticket = *(volatile int*)sum;
  *(volatile int*)sum = ticket + 1;
  __threadfence();
  atomicExch(mutex, 0);
  int total = ticket;
  for (int d = 16; d != 0; d /= 2) total += __shfl_xor_sync(0xffffffff, total, d);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// Lanes pass on a token, from the last lane to the first.
extern "C" __global__ void chain(volatile int* token, int* out) {
  const int me = 31 - threadIdx.x;
  while (*token != me) {
  }
  out[threadIdx.x] = *token * 10;
  __threadfence();
  *token = me + 1;
}

__device__ __noinline__ void acquire(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ __noinline__ int next(int* sum, int depth) {
  if (depth > 0) return next(sum, depth - 1) + 1;
  const int old = *(volatile int*)sum;
  *(volatile int*)sum = old + 1;
  return old;
}
extern "C" __global__ void lock_in_function(int* mutex, int* sum, int* out, int depth) {
  acquire(mutex);
  out[threadIdx.x] = next(sum, depth + (int)threadIdx.x % 3) - (depth + (int)threadIdx.x % 3);
  __threadfence();
  atomicExch(mutex, 0);
}

// A hand-written barrier of the grid, for which all blocks must run at once.
extern "C" __global__ void own_barrier(unsigned* count, int* a, int* b) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned*)count < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  b[i] = a[n - 1 - i];
}

extern "C" __global__ void never(volatile int* flag) {
  while (*flag == 0) {
  }
}

// Block 0 polls between barriers of its block until the other block, which has not started, tells
// it to go on. The barriers are those of the block, with a result, named, of cooperative groups, of
// a warp, and an mbarrier.
extern "C" __global__ void polls_between_barriers(int* flag, int* out) {
  __shared__ int seen;
  if (blockIdx.x != 0) {
    __threadfence();
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  for (;;) {
    if (threadIdx.x == 0) seen = *(volatile int*)flag;
    __syncthreads();
    const bool go = seen != 0;
    __syncthreads();
    if (go) break;
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void polls_with_a_vote(int* flag, int* out) {
  if (blockIdx.x != 0) {
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  while (!__syncthreads_or(threadIdx.x == 40 && *(volatile int*)flag != 0)) {
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void polls_between_named_barriers(int* flag, int* out) {
  __shared__ volatile int seen;
  if (blockIdx.x != 0) {
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  if (threadIdx.x < 32) {
    int value;
    do {
      value = atomicAdd(flag, 0);
      if (threadIdx.x == 0) seen = value;
      asm volatile("bar.sync 1, 64;" ::: "memory");
      asm volatile("bar.sync 2, 64;" ::: "memory");
    } while (value == 0);
  } else {
    int value;
    do {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      value = seen;
      asm volatile("bar.sync 2, 64;" ::: "memory");
    } while (value == 0);
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void polls_in_groups(int* flag, int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto half = cg::tiled_partition<16>(block);
  if (blockIdx.x != 0) {
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  __shared__ int seen[4];
  int go = 0;
  while (!go) {
    if (half.thread_rank() == 0) seen[half.meta_group_rank()] = *(volatile int*)flag;
    half.sync();
    go = seen[half.meta_group_rank()];
    half.sync();
  }
  block.sync();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void polls_in_a_branch_of_a_warp(int* flag, int* out) {
  __shared__ int seen[2];
  if (blockIdx.x != 0) {
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  const unsigned half = threadIdx.x % 32 < 16 ? 0x0000ffff : 0xffff0000;
  if (threadIdx.x % 32 < 16) {
    int go = 0;
    while (!go) {
      if (threadIdx.x % 16 == 3) seen[threadIdx.x / 32] = *(volatile int*)flag;
      __syncwarp(half);
      go = *(volatile int*)&seen[threadIdx.x / 32];
      __syncwarp(half);
    }
  }
  __syncwarp();
  __syncthreads();
  out[threadIdx.x] = 1;
}

extern "C" __global__ void polls_between_phases(int* flag, int* out) {
  __shared__ unsigned long long barrier;
  __shared__ int seen;
  const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  if (blockIdx.x != 0) {
    if (threadIdx.x == 0) atomicExch(flag, 1);
    return;
  }
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64));
  __syncthreads();
  int go = 0;
  while (!go) {
    if (threadIdx.x == 0) seen = *(volatile int*)flag;
    for (int phase = 0; phase < 2; ++phase) {
      unsigned long long state;
      asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
      int done = 0;
      while (!done) {
        asm volatile(
            "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
            : "=r"(done)
            : "r"(at), "l"(state)
            : "memory");
      }
      if (phase == 0) go = seen;
    }
  }
  out[threadIdx.x] = 1;
}

// The loop polls, and would never end.
extern "C" __global__ void polls_for_nothing_between_barriers(int* flag, int* out) {
  while (!__syncthreads_or(*(volatile int*)flag != 0)) {
  }
  out[threadIdx.x] = 1;
}
