// Kernels that race, at the lines that say so, and kernels that do not. Each runs with the grid and
// block of the comment before it, on 64 KiB of zeros; "in" is another 64 KiB.
#include <cooperative_groups.h>

// ---- Shared memory, warps of a block ----

// <<<1, 64>>>
extern "C" __global__ void missing_barrier(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: shared_race
}

// <<<1, 64>>>
extern "C" __global__ void with_barrier(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// The barrier at the end of the loop is missing: a fast warp overwrites what a slow one reads.
// <<<1, 64>>>
extern "C" __global__ void missing_second_barrier(int* out, const int* in) {
  __shared__ int tile[64];
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    tile[threadIdx.x] = in[threadIdx.x + 64 * i];
    __syncthreads();
    sum += tile[63 - threadIdx.x];  // says: shared_race
  }
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void both_barriers(int* out, const int* in) {
  __shared__ int tile[64];
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    tile[threadIdx.x] = in[threadIdx.x + 64 * i];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void all_write_one(int* out, const int* in) {
  __shared__ int last;
  last = in[threadIdx.x] + threadIdx.x;  // says: shared_race
  __syncthreads();
  out[threadIdx.x] = last;
}

// <<<1, 64>>>
extern "C" __global__ void all_write_the_same(int* out, const int* in) {
  __shared__ int found;
  found = 0;  // says: same_value_race
  __syncthreads();
  if (in[threadIdx.x] == 0) found = 1;  // says: same_value_race
  __syncthreads();
  out[threadIdx.x] = found;
}

// <<<1, 64>>>
extern "C" __global__ void one_writes(int* out, const int* in) {
  __shared__ int found;
  if (threadIdx.x == 0) found = in[0];
  __syncthreads();
  out[threadIdx.x] = found;
}

// Accesses to neighbouring bytes of one word are not a race.
// <<<1, 64>>>
extern "C" __global__ void bytes_side_by_side(int* out, const int* in) {
  __shared__ unsigned char bytes[128];
  __shared__ short shorts[64];
  bytes[threadIdx.x * 2] = static_cast<unsigned char>(in[threadIdx.x]);
  shorts[threadIdx.x] = static_cast<short>(in[threadIdx.x]);
  bytes[threadIdx.x * 2 + 1] = 7;
  out[threadIdx.x] = bytes[threadIdx.x * 2] + shorts[threadIdx.x] + bytes[threadIdx.x * 2 + 1];
}

// <<<1, 64>>>
extern "C" __global__ void bytes_that_overlap(int* out, const int* in) {
  __shared__ int words[64];
  reinterpret_cast<char*>(words)[threadIdx.x] = static_cast<char>(in[threadIdx.x]);
  if (threadIdx.x >= 48) out[threadIdx.x] = words[threadIdx.x - 48];  // says: shared_race
}

// <<<1, 64>>>
extern "C" __global__ void wide_and_narrow(int* out, const int* in) {
  __shared__ float4 wide[64];
  wide[threadIdx.x] = make_float4(in[threadIdx.x], 1, 2, 3);
  if (threadIdx.x < 32) {
    out[threadIdx.x] = static_cast<int>(wide[threadIdx.x + 32].w);  // says: shared_race
  }
}

// <<<1, 64>>>
extern "C" __global__ void shared_histogram(int* out, const int* in) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] + threadIdx.x % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void histogram_read_early(int* out, const int* in) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] + threadIdx.x % 8], 1);
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];  // says: shared_race
}

// Warps that work in separate parts need no barrier of the block.
// <<<1, 64>>>
extern "C" __global__ void a_part_for_each_warp(int* out, const int* in) {
  __shared__ int parts[2][32];
  int* part = parts[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  part[lane] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = part[31 - lane];
}

// Half of the warps meet at their own barrier.
// <<<1, 128>>>
extern "C" __global__ void named_barriers(int* out, const int* in) {
  __shared__ int tile[128];
  const int half = threadIdx.x / 64;
  tile[threadIdx.x] = in[threadIdx.x];
  asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
  out[threadIdx.x] = tile[half * 64 + (threadIdx.x + 32) % 64];
}

// <<<1, 128>>>
extern "C" __global__ void the_wrong_named_barrier(int* out, const int* in) {
  __shared__ int tile[128];
  const int half = threadIdx.x / 64;
  tile[threadIdx.x] = in[threadIdx.x];
  asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
  out[threadIdx.x] = tile[(threadIdx.x + 64) % 128];  // says: shared_race
}

// Marks of shared memory, by words and then by bytes, are not those of global memory.
// <<<4, 64>>>
extern "C" __global__ void words_then_a_byte(int* out, const int* in) {
  __shared__ int words[1024];
  __shared__ bool any;
  for (int i = threadIdx.x; i < 1024; i += 64) words[i] = i;
  if (threadIdx.x == 0) any = in[0] != 0;
  __syncthreads();
  const int far = in[1024 * (1 + blockIdx.x) + threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = far + words[threadIdx.x] + any;
}

// ---- Lanes of a warp ----

// <<<1, 32>>>
extern "C" __global__ void warp_reduction(int* out, const int* in) {
  __shared__ int sums[32];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncwarp();
  for (int s = 16; s > 0; s /= 2) {
    const int other = t + s < 32 ? sums[t + s] : 0;
    __syncwarp();
    sums[t] += other;
    __syncwarp();
  }
  if (t == 0) out[0] = sums[0];
}

// <<<1, 32>>>
extern "C" __global__ void warp_reduction_in_step(int* out, const int* in) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  sums[t + 32] = 0;
  __syncwarp();
  if (t < 16) sums[t] += sums[t + 16];
  __syncwarp();
  if (t < 8) sums[t] += sums[t + 8];
  if (t < 4) sums[t] += sums[t + 4];  // says: shared_race
  __syncwarp();
  if (t == 0) out[0] = sums[0] + sums[1] + sums[2] + sums[3];
}

// These are the last steps of a reduction as it was written before Volta.
// <<<1, 32>>>
extern "C" __global__ void volatile_warp_reduction(int* out, const int* in) {
  __shared__ volatile int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[t];
  sums[t + 32] = 0;
  __syncwarp();
  sums[t] += sums[t + 16];  // says: shared_race
  __syncwarp();
  if (t == 0) out[0] = sums[0];
}

// <<<1, 32>>>
extern "C" __global__ void shuffles(int* out, const int* in) {
  int sum = in[threadIdx.x];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0U, sum, s);
  if (threadIdx.x == 0) out[0] = sum;
}

// A shuffle does not order memory.
// <<<1, 32>>>
extern "C" __global__ void shuffle_between(int* out, const int* in) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  const int x = __shfl_xor_sync(~0U, threadIdx.x, 1);
  out[threadIdx.x] = tile[31 - threadIdx.x] + x;  // says: shared_race
}

// <<<1, 32>>>
extern "C" __global__ void tiles_of_a_warp(int* out, const int* in) {
  namespace cg = cooperative_groups;
  __shared__ int tile[32];
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  tile[threadIdx.x] = in[threadIdx.x];
  group.sync();
  out[threadIdx.x] = tile[threadIdx.x ^ 7];
}

// <<<1, 32>>>
extern "C" __global__ void beyond_the_tile(int* out, const int* in) {
  namespace cg = cooperative_groups;
  __shared__ int tile[32];
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  tile[threadIdx.x] = in[threadIdx.x];
  group.sync();
  out[threadIdx.x] = tile[threadIdx.x ^ 8];  // says: shared_race
}

// ---- Global memory ----

// <<<8, 64>>>
extern "C" __global__ void element_each(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + in[i + 1];
}

// <<<8, 64>>>
extern "C" __global__ void sum_without_atomic(int* out, const int* in) {
  if (threadIdx.x == 0) *out += in[0] + 1;  // says: global_race
}

// <<<8, 64>>>
extern "C" __global__ void sum_with_atomic(int* out, const int* in) {
  if (threadIdx.x == 0) atomicAdd(out, in[blockIdx.x] + 1);
}

// The array is changed in place, while other blocks read its elements as neighbours.
// <<<4, 64>>>
extern "C" __global__ void stencil_in_place(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int right = out[i + 1];  // says: global_race
  out[i] = right + i + 1;
}

// All reads come before all writes.
// <<<1, 32>>>
extern "C" __global__ void shift_in_place(int* out, const int* in) {
  const int next = out[threadIdx.x + 1];  // says: global_race
  out[threadIdx.x] = next;
}

// <<<1, 32>>>
extern "C" __global__ void first_of_all(int* out, const int* in) {
  const int first = out[0];  // says: global_race
  out[threadIdx.x] = first + threadIdx.x;
}

// <<<2, 32>>>
extern "C" __global__ void some_read_what_others_write(int* out, const int* in) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += threadIdx.x % 3 == 0 ? out[threadIdx.x * 37 % 64 + 64 * i] : in[i];  // says: global_race
  }
  out[blockIdx.x * 256 + threadIdx.x * 8] = sum;
}

// <<<2, 32>>>
extern "C" __global__ void all_read_what_one_block_writes(int* out, const int* in) {
  const int own = out[threadIdx.x];  // says: global_race
  if (blockIdx.x == 1 || own == 12345) out[threadIdx.x] = own + 1;
}

// <<<1, 32>>>
extern "C" __global__ void bytes_shifted_in_place(unsigned char* out, const int* in) {
  const unsigned char next = out[threadIdx.x + 1];  // says: global_race
  out[threadIdx.x] = next;
}

// <<<4, 64>>>
extern "C" __global__ void each_reads_and_writes_its_own(int* out, const int* in) {
  const int own = blockIdx.x * 64 + threadIdx.x * 37 % 64;
  const int sum = out[own] + out[own + 1024] + out[own + 2048];
  out[own] = out[own + 1024] = sum;
}

// <<<4, 64>>>
extern "C" __global__ void halo_written_twice(int* out, const int* in) {
  const int i = blockIdx.x * 63 + threadIdx.x;
  out[i] = in[i] + blockIdx.x;  // says: global_race
}

// <<<4, 64>>>
extern "C" __global__ void halo_written_twice_the_same(int* out, const int* in) {
  const int i = blockIdx.x * 63 + threadIdx.x;
  out[i] = in[i] + i;  // says: same_value_race
}

// <<<2, 64>>>
extern "C" __global__ void scratch_of_a_block(int* out, const int* in) {
  int* mine = out + blockIdx.x * 64;
  mine[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int other = mine[63 - threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = other;
}

// <<<2, 64>>>
extern "C" __global__ void scratch_without_barrier(int* out, const int* in) {
  int* mine = out + blockIdx.x * 64;
  mine[threadIdx.x] = in[threadIdx.x];
  out[blockIdx.x * 64 + 128 + threadIdx.x] = mine[63 - threadIdx.x];  // says: global_race
}

// <<<4, 64>>>
extern "C" __global__ void bytes_of_blocks(unsigned char* out, const int* in) {
  out[blockIdx.x + 4 * threadIdx.x] = static_cast<unsigned char>(in[threadIdx.x]);
}

// ---- Order through memory ----

// <<<4, 64>>>
extern "C" __global__ void last_block(int* out, const int* in) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = in[blockIdx.x] + blockIdx.x;
    __threadfence();
    last = atomicAdd(out, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[8 + threadIdx.x] = out[1 + threadIdx.x];
}

// <<<4, 64>>>
extern "C" __global__ void last_block_without_fence(int* out, const int* in) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = in[blockIdx.x] + blockIdx.x;
    last = atomicAdd(out, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    out[8 + threadIdx.x] = out[1 + threadIdx.x];  // says: global_race
  }
}

// One thread executes the fence, after a barrier.
// <<<4, 64>>>
extern "C" __global__ void last_block_one_fence(int* out, const int* in) {
  __shared__ bool last;
  out[64 + blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x] + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(out, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += out[64 + b * 64 + threadIdx.x];
  out[512 + threadIdx.x] = sum;
}

// <<<4, 32>>>
extern "C" __global__ void spin_lock(int* out, const int* in) {
  if (threadIdx.x == 0) {
    while (atomicCAS(out, 0, 1) != 0) {
    }
    __threadfence();
    out[1] += in[0] + 1;
    __threadfence();
    atomicExch(out, 0);
  }
}

// <<<4, 32>>>
extern "C" __global__ void lock_that_protects_nothing(int* out, const int* in) {
  if (threadIdx.x == 0) {
    while (atomicCAS(out, 0, 1) != 0) {
    }
    __threadfence();
    atomicExch(out, 0);
    out[1] += in[0] + 1;  // says: global_race
  }
}

// The lanes of a warp take the lock one after the other.
// <<<2, 32>>>
extern "C" __global__ void lock_for_each_lane(int* out, const int* in) {
  bool done = false;
  while (!done) {
    if (atomicCAS(out, 0, 1) == 0) {
      __threadfence();
      volatile int* sum = out + 1;
      *sum += in[0] + 1;
      __threadfence();
      atomicExch(out, 0);
      done = true;
    }
  }
}

// Two warps synchronise by a flag.
// <<<1, 64>>>
extern "C" __global__ void flag_in_shared_memory(int* out, const int* in) {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = in[0] + 5;
    __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {  // says: volatile_race
    }
    __threadfence_block();
    out[0] = data;
  }
}

// Each block adds to the result of the block before, in a chain of flags.
// <<<4, 32>>>
extern "C" __global__ void chain_of_blocks(int* out, const int* in) {
  volatile int* flags = out + 64;
  if (threadIdx.x != 0) return;
  const int me = atomicAdd(out, 1);
  if (me > 0) {
    while (flags[me - 1] == 0) {  // says: volatile_race
    }
    __threadfence();
  }
  out[1] = out[1] + in[0] + 1;
  __threadfence();
  flags[me] = 1;
}

// ---- Remedies: see RaceRemedy ----

// <<<1, 64>>>
extern "C" __global__ void counts_without_atomics(int* out, const int* in) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[(in[threadIdx.x] + threadIdx.x) % 4]++;  // says: shared_race
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}

// <<<2, 32>>>
extern "C" __global__ void adds_without_atomics(int* out, const int* in) {
  out[threadIdx.x] += in[threadIdx.x] + 1;  // says: global_race
}

// <<<1, 32>>>
extern "C" __global__ void warp_without_syncwarp(int* out, const int* in) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[31 - threadIdx.x];  // says: shared_race
}

// <<<1, 32>>>
extern "C" __global__ void volatile_steps(int* out, const int* in) {
  __shared__ volatile int sums[64];
  sums[threadIdx.x] = in[threadIdx.x];
  sums[threadIdx.x + 32] = 0;
  __syncthreads();
  sums[threadIdx.x] = sums[threadIdx.x] + 1;
  sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + 2];  // says: shared_race shared_race
  if (threadIdx.x == 0) out[0] = sums[0];
}

// <<<2, 32>>>
extern "C" __global__ void tells_without_a_fence(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  out[1 + blockIdx.x] = in[blockIdx.x] + 1;
  const bool last = atomicAdd(out, 1) == 1;
  if (last) out[8] = out[1] + out[2];  // says: global_race
}

__device__ void put(int* tile, int i, int value);
__device__ int get(const int* tile, int i);

// <<<1, 64>>>
extern "C" __global__ void through_helpers(int* out, const int* in) {
  __shared__ int tile[64];
  put(tile, threadIdx.x, in[threadIdx.x]);
  out[threadIdx.x] = get(tile, 63 - threadIdx.x);
}

__device__ __forceinline__ void put(int* tile, int i, int value) { tile[i] = value; }

__device__ __forceinline__ int get(const int* tile, int i) {
  return tile[i];  // says: shared_race
}

// ---- Chains of flags through a block in the middle ----

// A block in the middle publishes its progress twice; what it acquired in between counts.
// <<<3, 32>>>
extern "C" __global__ void chain_that_tells_twice(int* out, const int* in) {
  const volatile int* first = out + 64;
  const volatile int* middle = out + 96;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (*middle < 1) {
    }
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch(out + 64, 1);
  } else if (blockIdx.x == 1) {
    out[3] = 1;
    __threadfence();
    atomicExch(out + 96, 1);
    while (*first == 0) {
    }
    __threadfence();
    atomicExch(out + 96, 2);
  } else {
    while (*middle < 2) {
    }
    __threadfence();
    out[2] = out[1];
  }
}

// A block does not pass on what it acquires after its release.
// <<<3, 32>>>
extern "C" __global__ void chain_that_learns_too_late(int* out, const int* in) {
  const volatile int* first = out + 64;
  const volatile int* middle = out + 96;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch(out + 64, 1);
  } else if (blockIdx.x == 1) {
    out[3] = 1;
    __threadfence();
    atomicExch(out + 96, 1);
    while (*first == 0) {
    }
    __threadfence();
  } else {
    while (*middle < 1) {
    }
    __threadfence();
    out[2] = out[1];  // says: global_race
  }
}

// Each warp works in a part of its own.
// <<<1, 64>>>
extern "C" __global__ void warps_without_syncwarp(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = __shfl_xor_sync(~0U, in[threadIdx.x], 2);
  out[threadIdx.x] = tile[threadIdx.x ^ 1];  // says: shared_race
}

__device__ int taken;

// <<<2, 32>>>
extern "C" __global__ void lock_without_a_fence(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&taken, 0, 1) != 0) {
  }
  out[0] += in[0] + 1;  // says: global_race
  atomicExch(&taken, 0);
}

// <<<2, 32>>>
extern "C" __global__ void lock_with_a_fence(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&taken, 0, 1) != 0) {
  }
  __threadfence();
  out[0] += in[0] + 1;
  __threadfence();
  atomicExch(&taken, 0);
}

// <<<1, 128>>>
extern "C" __global__ void barriers_of_two_numbers(int* out, const int* in) {
  __shared__ int words[64];
  if (threadIdx.x < 64) {
    words[threadIdx.x] = in[threadIdx.x];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
    asm volatile("bar.sync 2, 128;" ::: "memory");
  } else {
    asm volatile("bar.arrive 2, 128;" ::: "memory");
    out[threadIdx.x] = words[threadIdx.x ^ 127];  // says: shared_race
    asm volatile("bar.sync 1, 128;" ::: "memory");
  }
}
