// Kernels that use or overwrite memory of an asynchronous copy too early, at the lines that say so,
// and kernels that wait as they should. Each runs with the grid and block of the comment before it,
// on 64 KiB of zeros; "in" is another 64 KiB.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

namespace {

constexpr int kThreads = 64;

__device__ unsigned SharedAddress(const void* of) {
  return static_cast<unsigned>(__cvta_generic_to_shared(of));
}

}  // namespace

// ---- cp.async: the thread that copies waits ----

// <<<1, 64>>>
extern "C" __global__ void waits_for_its_own(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void does_not_wait(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];  // says: async_copy_race
}

// A barrier of the block orders threads, but waits for no copy.
// <<<1, 64>>>
extern "C" __global__ void barrier_instead_of_wait(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race
}

// <<<1, 64>>>
extern "C" __global__ void wait_then_barrier(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void barrier_then_wait(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race
}

// <<<1, 32>>>
extern "C" __global__ void lanes_without_syncwarp(int* out, const int* in) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[31 - threadIdx.x];  // says: async_copy_race
}

// <<<1, 32>>>
extern "C" __global__ void lanes_with_syncwarp(int* out, const int* in) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

// A wait for groups does not wait for copies that are in no group.
// <<<1, 64>>>
extern "C" __global__ void forgets_to_commit(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];  // says: async_copy_race
}

// <<<1, 64>>>
extern "C" __global__ void waits_for_all(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x];
}

// The first of two groups is complete, and the second is not.
// <<<1, 64>>>
extern "C" __global__ void leaves_one_group(int* out, const int* in) {
  __shared__ int first[kThreads], second[kThreads];
  __pipeline_memcpy_async(&first[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&second[threadIdx.x], &in[threadIdx.x + 64], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  int sum = first[threadIdx.x];
  sum += second[threadIdx.x];  // says: async_copy_race
  out[threadIdx.x] = sum;
}

// An empty group counts too.
// <<<1, 64>>>
extern "C" __global__ void empty_groups_count(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Only half of the lanes wait.
// <<<1, 32>>>
extern "C" __global__ void half_of_the_lanes_wait(int* out, const int* in) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  if (threadIdx.x < 16) __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];  // says: async_copy_race
}

// Bytes that the copy zeroes belong to it too.
// <<<1, 64>>>
extern "C" __global__ void zeroes_are_copied_too(int* out, const int* in) {
  __shared__ int4 tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], in + 4 * threadIdx.x, 16, threadIdx.x < 32 ? 0 : 16);
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x].w;  // says: async_copy_race
}

// ---- Overwriting ----

// <<<1, 64>>>
extern "C" __global__ void writes_the_destination(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  tile[threadIdx.x] = 0;  // says: async_copy_race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void writes_before_and_after(int* out, const int* in) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = 0;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  tile[threadIdx.x] += 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void two_copies_to_one_place(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x + 64], 4);  // says: async_copy_race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// The source is read while the copy runs, not when it is started.
// <<<1, 64>>>
extern "C" __global__ void overwrites_the_source(int* out, const int*) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &out[threadIdx.x], 4);  // says: async_copy_race
  __pipeline_commit();
  out[threadIdx.x] = 7;
  __pipeline_wait_prior(0);
  out[threadIdx.x + 64] = tile[threadIdx.x];
}

// ---- Pipelines of several stages ----

// <<<1, 64>>>
extern "C" __global__ void two_stages(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  for (int i = 0; i < 8; ++i) {
    if (i + 1 < 8) {
      __pipeline_memcpy_async(&tile[(i + 1) % 2][threadIdx.x], &in[64 * (i + 1) + threadIdx.x], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[i % 2][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A stage is filled again while other threads still read it.
// <<<1, 64>>>
extern "C" __global__ void fills_too_early(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    if (i + 1 < 8) {
      __pipeline_memcpy_async(&tile[(i + 1) % 2][threadIdx.x], &in[64 * (i + 1) + threadIdx.x], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[i % 2][63 - threadIdx.x];  // says: async_copy_race
  }
  out[threadIdx.x] = sum;
}

// Each of two lines races with the copies before the loop and with those in it.
// <<<1, 64>>>
extern "C" __global__ void leaves_a_group_too_many(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
#pragma unroll 1
  for (int i = 0; i < 8; ++i) {
    if (i + 1 < 8) {
      __pipeline_memcpy_async(  // says: async_copy_race async_copy_race
          &tile[(i + 1) % 2][threadIdx.x], &in[64 * (i + 1) + threadIdx.x], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    sum += tile[i % 2][63 - threadIdx.x];  // says: async_copy_race async_copy_race
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// There are three stages and one barrier for each; a stage is filled when all threads have left it.
// <<<1, 64>>>
extern "C" __global__ void three_stages(int* out, const int* in) {
  __shared__ int tile[3][kThreads];
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    __pipeline_memcpy_async(&tile[i][threadIdx.x], &in[64 * i + threadIdx.x], 4);
    __pipeline_commit();
  }
#pragma unroll 1
  for (int i = 0; i < 9; ++i) {
    __pipeline_wait_prior(1);
    __syncthreads();
    if (i + 2 < 9) {
      __pipeline_memcpy_async(&tile[(i + 2) % 3][threadIdx.x], &in[64 * (i + 2) + threadIdx.x], 4);
    }
    __pipeline_commit();
    sum += tile[i % 3][63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

// ---- Copies by libraries ----

// <<<1, 64>>>
extern "C" __global__ void groups_copy(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
  cg::memcpy_async(block, tile[1], in + 64, sizeof tile[1]);
  cg::wait_prior<1>(block);
  int sum = tile[0][63 - threadIdx.x];
  cg::wait(block);
  sum += tile[1][63 - threadIdx.x];
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void groups_wait_too_little(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
  cg::memcpy_async(block, tile[1], in + 64, sizeof tile[1]);
  cg::wait_prior<1>(block);
  int sum = tile[0][63 - threadIdx.x];
  sum += tile[1][63 - threadIdx.x];  // says: async_copy_race
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void pipeline_of_a_thread(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  const auto fill = [&](int i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[i % 2][threadIdx.x], &in[64 * i + threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
  };
  fill(0);
  for (int i = 0; i < 6; ++i) {
    if (i + 1 < 6) fill(i + 1);
    if (i + 1 < 6) {
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    __syncthreads();
    sum += tile[i % 2][63 - threadIdx.x];
    __syncthreads();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void pipeline_of_a_block(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  const auto fill = [&](int i) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile[i % 2], in + 64 * i, sizeof tile[0], pipe);
    pipe.producer_commit();
  };
  fill(0);
  for (int i = 0; i < 6; ++i) {
    if (i + 1 < 6) fill(i + 1);
    pipe.consumer_wait();
    sum += tile[i % 2][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void pipeline_without_its_wait(int* out, const int* in) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile[0], in, sizeof tile[0], pipe);
  pipe.producer_commit();
  __syncthreads();
  out[threadIdx.x] = tile[0][63 - threadIdx.x];  // says: async_copy_race
}

// <<<1, 64>>>
extern "C" __global__ void copy_at_a_barrier(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, tile, in, sizeof tile, bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void copy_at_a_barrier_nobody_waits_at(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, tile, in, sizeof tile, bar);
  (void)bar.arrive();
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race
}

// ---- Arrivals of cp.async at an mbarrier ----

// <<<1, 64>>>
extern "C" __global__ void arrives_with_its_copies(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(SharedAddress(&bar)));
  }
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(SharedAddress(&bar))
               : "memory");
  int done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(SharedAddress(&bar))
        : "memory");
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// An arrival of the thread does not complete its copies.
// <<<1, 64>>>
extern "C" __global__ void arrives_without_its_copies(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(SharedAddress(&bar)));
  }
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(SharedAddress(&bar))
               : "memory");
  int done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(SharedAddress(&bar))
        : "memory");
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race
}

// ---- Bulk copies ----

namespace {

__device__ void MakeBarrier(unsigned long long* bar, int count) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(SharedAddress(bar)), "r"(count));
  }
  __syncthreads();
}

__device__ void Load(int* to, const int* from, int bytes, unsigned long long* bar) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(
                   SharedAddress(bar)),
               "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(SharedAddress(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(SharedAddress(bar))
      : "memory");
}

__device__ void Wait(unsigned long long* bar, int parity) {
  int done = 0;
  while (done == 0) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(SharedAddress(bar)), "r"(parity)
        : "memory");
  }
}

}  // namespace

// This is a macro, so that findings name the line that uses it.
#define STORE(to, from, bytes)                                                  \
  asm volatile(                                                                 \
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; "            \
      "cp.async.bulk.commit_group;" ::"l"(__cvta_generic_to_global(to)),        \
      "r"(SharedAddress(from)), "r"(static_cast<int>(bytes))                    \
      : "memory")

// <<<1, 64>>>
extern "C" __global__ void bulk_load(int* out, const int* in) {
  __shared__ alignas(16) int tile[kThreads];
  __shared__ unsigned long long bar;
  MakeBarrier(&bar, 1);
  if (threadIdx.x == 0) Load(tile, in, sizeof tile, &bar);
  Wait(&bar, 0);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// One thread waits, and a barrier orders the others after it.
// <<<1, 64>>>
extern "C" __global__ void bulk_load_and_barrier(int* out, const int* in) {
  __shared__ alignas(16) int tile[kThreads];
  __shared__ unsigned long long bar;
  MakeBarrier(&bar, 1);
  if (threadIdx.x == 0) Load(tile, in, sizeof tile, &bar);
  if (threadIdx.x == 40) Wait(&bar, 0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void bulk_load_without_wait(int* out, const int* in) {
  __shared__ alignas(16) int tile[kThreads];
  __shared__ unsigned long long bar;
  MakeBarrier(&bar, 1);
  if (threadIdx.x == 0) Load(tile, in, sizeof tile, &bar);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race
}

// Only the thread that started the copy waits.
// <<<1, 64>>>
extern "C" __global__ void bulk_load_waited_for_by_one(int* out, const int* in) {
  __shared__ alignas(16) int tile[kThreads];
  __shared__ unsigned long long bar;
  MakeBarrier(&bar, 1);
  if (threadIdx.x == 0) {
    Load(tile, in, sizeof tile, &bar);
    Wait(&bar, 0);
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race
}

// <<<1, 64>>>
extern "C" __global__ void bulk_stages(int* out, const int* in) {
  __shared__ alignas(16) int tile[2][kThreads];
  __shared__ unsigned long long bar[2];
  MakeBarrier(&bar[0], 1);
  MakeBarrier(&bar[1], 1);
  int sum = 0;
  if (threadIdx.x == 0) Load(tile[0], in, sizeof tile[0], &bar[0]);
#pragma unroll 1
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 2;
    if (threadIdx.x == 0 && i + 1 < 6) Load(tile[next], in + 64 * (i + 1), sizeof tile[0], &bar[next]);
    Wait(&bar[i % 2], i / 2 % 2);
    sum += tile[i % 2][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void bulk_stage_filled_too_early(int* out, const int* in) {
  __shared__ alignas(16) int tile[2][kThreads];
  __shared__ unsigned long long bar[2];
  MakeBarrier(&bar[0], 1);
  MakeBarrier(&bar[1], 1);
  int sum = 0;
  if (threadIdx.x == 0) Load(tile[0], in, sizeof tile[0], &bar[0]);
#pragma unroll 1
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 2;
    if (threadIdx.x == 0 && i + 1 < 6) Load(tile[next], in + 64 * (i + 1), sizeof tile[0], &bar[next]);
    Wait(&bar[i % 2], i / 2 % 2);
    sum += tile[i % 2][63 - threadIdx.x];  // says: async_copy_race
  }
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void bulk_store(int* out, const int* in) {
  __shared__ alignas(16) int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, sizeof tile);
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
  __syncthreads();
  tile[threadIdx.x] = 1;
}

// <<<1, 64>>>
extern "C" __global__ void bulk_store_source_overwritten(int* out, const int* in) {
  __shared__ alignas(16) int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) STORE(out, tile, sizeof tile);  // says: async_copy_race
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x + 64];
  __syncthreads();
  out[threadIdx.x + 64] = tile[63 - threadIdx.x];
}

// The source has been read, but the destination is not written yet.
// <<<1, 64>>>
extern "C" __global__ void bulk_store_read_back(int* out, const int* in) {
  __shared__ alignas(16) int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    STORE(out, tile, sizeof tile);
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    out[64] = out[3];  // says: async_copy_race
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    out[65] = out[3];
  }
}

// ---- Lanes of one instruction ----

// A group of 32 copies 20 elements: its last lanes copy the last element too.
// <<<1, 64>>>
extern "C" __global__ void tile_copies_fewer_than_lanes(int* out, const int* in) {
  __shared__ int tiles[2][52];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int* const tile = tiles[warp.meta_group_rank()];
  cg::memcpy_async(warp, tile, in, 52 * sizeof(int));
  cg::wait(warp);
  out[threadIdx.x] = tile[51 - warp.thread_rank()];
}

// <<<1, 64>>>
extern "C" __global__ void lanes_copy_one_element(int* out, const int* in) {
  __shared__ int element;
  if (threadIdx.x < 32) __pipeline_memcpy_async(&element, in, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = element;
}

// <<<1, 64>>>
extern "C" __global__ void lanes_copy_two_elements_to_one(int* out, const int* in) {
  __shared__ int element;
  if (threadIdx.x < 32) {
    __pipeline_memcpy_async(&element, in + threadIdx.x / 16, 4);  // says: async_copy_race
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = element;
}

// The copy reads bytes behind `in`, or zeros.
// <<<1, 64>>>
extern "C" __global__ void lanes_copy_and_zero_one_place(int* out, const int* in) {
  __shared__ int element;
  if (threadIdx.x < 32) {
    __pipeline_memcpy_async(&element, in, 4, threadIdx.x % 2 * 4);  // says: async_copy_race
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = element;
}

// <<<1, 64>>>
extern "C" __global__ void warps_copy_one_element(int* out, const int* in) {
  __shared__ int element;
  __pipeline_memcpy_async(&element, in, 4);  // says: async_copy_race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = element;
}

// <<<1, 64>>>
extern "C" __global__ void waits_without_a_barrier(int* out, const int* in) {
  __shared__ int tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[63 - threadIdx.x];  // says: async_copy_race
}
