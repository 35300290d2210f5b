// Threads that wait for each other: grids, locks, flags. See waiting_test.cc.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// Every phase reads what another block wrote in the one before.
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

// A lock, as it is written for one thread.
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

// The same, after which the warp works together again.
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

// Lanes hand a token on, the last one first.
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

// A barrier of the grid as one writes it by hand; blocks have to be under way at once.
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
