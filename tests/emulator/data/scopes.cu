// Kernels whose blocks meet by atomics, flags and locks: pairs of a kernel with a mistake, which
// races at the lines that say so, and of the same kernel without it. Each runs with the grid and
// block of the comment before it, on 64 KiB of zeros; "in" is another 64 KiB.
#include <cuda_fp16.h>

#include <cuda/atomic>

using OfBlock = cuda::atomic_ref<int, cuda::thread_scope_block>;
using OfDevice = cuda::atomic_ref<int, cuda::thread_scope_device>;

// ---- A counter ----

// <<<4, 64>>>
extern "C" __global__ void counter_of_a_block(int* out, const int* in) {
  if (threadIdx.x == 0) atomicAdd_block(out, in[0] + 1);  // says: global_race
}

// <<<4, 64>>>
extern "C" __global__ void counter_of_the_device(int* out, const int* in) {
  if (threadIdx.x == 0) atomicAdd(out, in[0] + 1);
}

// <<<4, 64>>>
extern "C" __global__ void counter_for_each_block(int* out, const int* in) {
  atomicAdd_block(out + blockIdx.x, in[0] + 1);
}

// <<<1, 64>>>
extern "C" __global__ void counter_of_the_only_block(int* out, const int* in) {
  atomicAdd_block(out, in[0] + 1);
}

// One block adds with the scope of the device, and the other does not.
// <<<2, 32>>>
extern "C" __global__ void counter_of_two_scopes(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicMax(out, in[0] + 1);
  } else {
    atomicMax_block(out, in[0] + 2);  // says: global_race
  }
}

// <<<4, 64>>>
extern "C" __global__ void ticket_of_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  const int ticket = atomicAdd_block(out, 1);  // says: global_race
  out[16 * blockIdx.x + 1 + ticket] = in[0];
}

// <<<4, 32>>>
extern "C" __global__ void reduction_in_ptx_of_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  asm volatile("red.relaxed.cta.global.add.s32 [%0], 1;" ::"l"(out) : "memory");  // says: global_race
}

// <<<4, 32>>>
extern "C" __global__ void reduction_in_ptx_of_the_device(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(out) : "memory");
}

// A block is a cluster of one.
// <<<4, 32>>>
extern "C" __global__ void reduction_in_ptx_of_a_cluster(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  asm volatile("red.relaxed.cluster.global.add.s32 [%0], 1;" ::"l"(out) : "memory");  // says: global_race
}

// <<<4, 32>>>
extern "C" __global__ void atomic_ref_of_a_block(int* out, const int* in) {
  if (threadIdx.x == 0) OfBlock(*out).fetch_add(in[0] + 1);  // says: global_race
}

// <<<4, 32>>>
extern "C" __global__ void atomic_ref_of_the_device(int* out, const int* in) {
  if (threadIdx.x == 0) OfDevice(*out).fetch_add(in[0] + 1);
}

// ---- A flag ----

// <<<2, 32>>>
extern "C" __global__ void flag_of_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch_block(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {  // says: global_race
    }
    __threadfence();
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void flag_of_the_device(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    __threadfence();
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void flag_behind_the_fence_of_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence_block();
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    __threadfence();
    out[2] = out[1];  // says: global_race
  }
}

// <<<2, 32>>>
extern "C" __global__ void flag_without_a_fence_behind_it(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    out[2] = out[1];  // says: global_race
  }
}

// A fence in the loop stands before the read that sees the flag, and not behind it.
// <<<2, 32>>>
extern "C" __global__ void flag_with_a_fence_before_it(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch(out, 1);
  } else {
    do {
      __threadfence();
    } while (atomicAdd(out, 0) == 0);
    out[2] = out[1];  // says: global_race
  }
}

// <<<2, 32>>>
extern "C" __global__ void flag_with_the_fence_of_a_block_behind_it(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch(out, 1);
  } else {
    while (atomicAdd(out, 0) == 0) {
    }
    __threadfence_block();
    out[2] = out[1];  // says: global_race
  }
}

// A barrier behind the flag serves as the fence, for all threads of the block.
// <<<2, 64>>>
extern "C" __global__ void flag_with_a_barrier_behind_it(int* out, const int* in) {
  if (blockIdx.x == 0) {
    out[64 + threadIdx.x] = in[0] + 5;
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0) atomicExch(out, 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(out, 0) == 0) {
      }
    }
    __syncthreads();
    out[128 + threadIdx.x] = out[64 + threadIdx.x];
  }
}

// Two warps of a block need no more than the scope of their block.
// <<<2, 64>>>
extern "C" __global__ void flag_between_warps(int* out, const int* in) {
  int* mine = out + blockIdx.x * 16;
  if (threadIdx.x == 0) {
    mine[1] = in[0] + 5;
    __threadfence_block();
    atomicExch_block(mine, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(mine, 0) == 0) {
    }
    __threadfence_block();
    mine[2] = mine[1];
  }
}

// <<<2, 64>>>
extern "C" __global__ void flag_between_warps_without_a_fence(int* out, const int* in) {
  int* mine = out + blockIdx.x * 16;
  if (threadIdx.x == 0) {
    mine[1] = in[0] + 5;
    atomicExch_block(mine, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(mine, 0) == 0) {
    }
    __threadfence_block();
    mine[2] = mine[1];  // says: global_race
  }
}

// <<<2, 32>>>
extern "C" __global__ void released_to_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    OfBlock(*out).store(1, cuda::memory_order_release);
  } else {
    while (OfDevice(*out).load(cuda::memory_order_acquire) == 0) {  // says: global_race
    }
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void acquired_for_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    OfDevice(*out).store(1, cuda::memory_order_release);
  } else {
    while (OfBlock(*out).load(cuda::memory_order_acquire) == 0) {  // says: global_race
    }
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void released_and_acquired(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    OfDevice(*out).store(1, cuda::memory_order_release);
  } else {
    while (OfDevice(*out).load(cuda::memory_order_acquire) == 0) {
    }
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void released_and_read(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    OfDevice(*out).store(1, cuda::memory_order_release);
  } else {
    while (OfDevice(*out).load(cuda::memory_order_relaxed) == 0) {
    }
    out[2] = out[1];  // says: global_race
  }
}

// <<<2, 32>>>
extern "C" __global__ void relaxed_flag(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    OfDevice(*out).store(1, cuda::memory_order_relaxed);
  } else {
    while (OfDevice(*out).load(cuda::memory_order_relaxed) == 0) {
    }
    out[2] = out[1];  // says: global_race
  }
}

// <<<2, 32>>>
extern "C" __global__ void relaxed_flag_between_fences(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    OfDevice(*out).store(1, cuda::memory_order_relaxed);
  } else {
    while (OfDevice(*out).load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void relaxed_flag_between_fences_of_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
    OfDevice(*out).store(1, cuda::memory_order_relaxed);
  } else {
    while (OfDevice(*out).load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    out[2] = out[1];  // says: global_race
  }
}

// Volatile accesses are relaxed and of the scope of the system in PTX, and no atomics in CUDA C++.
// <<<2, 32>>>
extern "C" __global__ void volatile_flag(int* out, const int* in) {
  volatile int* flag = out;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {  // says: volatile_race
    }
    __threadfence();
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void volatile_flag_without_fences(int* out, const int* in) {
  volatile int* flag = out;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    *flag = 1;
  } else {
    while (*flag == 0) {  // says: volatile_race
    }
    out[2] = out[1];  // says: global_race
  }
}

// <<<2, 32>>>
extern "C" __global__ void volatile_read_of_an_atomic(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[1] = in[0] + 5;
    __threadfence();
    atomicExch(out, 1);
  } else {
    while (*(volatile int*)out == 0) {
    }
    __threadfence();
    out[2] = out[1];
  }
}

// <<<2, 32>>>
extern "C" __global__ void plain_read_of_an_atomic(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicExch(out, 1);
  } else {
    out[2] = out[0];  // says: global_race
  }
}

// ---- The last block ----

// <<<4, 64>>>
extern "C" __global__ void last_block_by_a_block_fence(int* out, const int* in) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = in[blockIdx.x] + blockIdx.x;
    __threadfence_block();
    last = atomicAdd(out, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    out[8 + threadIdx.x] = out[1 + threadIdx.x];  // says: global_race
  }
}

// Each block believes that it is the first.
// <<<4, 64>>>
extern "C" __global__ void last_block_by_a_block_counter(int* out, const int* in) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = in[blockIdx.x] + blockIdx.x;
    __threadfence();
    last = atomicAdd_block(out, 1) == gridDim.x - 1;  // says: global_race
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) {
    out[8 + threadIdx.x] = out[1 + threadIdx.x];
  }
}

// <<<4, 64>>>
extern "C" __global__ void last_block_with_fences(int* out, const int* in) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = in[blockIdx.x] + blockIdx.x;
    __threadfence();
    last = atomicAdd(out, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[8 + threadIdx.x] = out[1 + threadIdx.x];
}

// The thread that takes the ticket goes on alone, without a fence.
// <<<4, 32>>>
extern "C" __global__ void last_thread_without_a_second_fence(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  out[1 + blockIdx.x] = in[blockIdx.x] + 1;
  __threadfence();
  if (atomicAdd(out, 1) == 3) out[8] = out[1] + out[2] + out[3] + out[4];  // says: global_race
}

// <<<4, 32>>>
extern "C" __global__ void last_thread_with_both_fences(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  out[1 + blockIdx.x] = in[blockIdx.x] + 1;
  __threadfence();
  if (atomicAdd(out, 1) == 3) {
    __threadfence();
    out[8] = out[1] + out[2] + out[3] + out[4];
  }
}

// ---- A lock ----

// <<<4, 32>>>
extern "C" __global__ void lock_with_both_fences(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  out[1] += in[0] + 1;
  __threadfence();
  atomicExch(out, 0);
}

// <<<4, 32>>>
extern "C" __global__ void lock_of_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS_block(out, 0, 1) != 0) {
  }
  __threadfence();
  out[1] += in[0] + 1;
  __threadfence();
  atomicExch_block(out, 0);  // says: global_race
}

// <<<4, 32>>>
extern "C" __global__ void lock_without_a_fence_before_release(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  out[1] += in[0] + 1;  // says: global_race
  atomicExch(out, 0);
}

// <<<4, 32>>>
extern "C" __global__ void lock_without_a_fence_behind_taking(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(out, 0, 1) != 0) {
  }
  out[1] += in[0] + 1;  // says: global_race
  __threadfence();
  atomicExch(out, 0);
}

// <<<4, 32>>>
extern "C" __global__ void lock_with_block_fences(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence_block();
  out[1] += in[0] + 1;  // says: global_race
  __threadfence_block();
  atomicExch(out, 0);
}

// <<<4, 32>>>
extern "C" __global__ void lock_with_a_block_fence_behind_taking(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence_block();
  out[1] += in[0] + 1;  // says: global_race
  __threadfence();
  atomicExch(out, 0);
}

// <<<4, 32>>>
extern "C" __global__ void lock_given_back_by_a_store(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(out, 0, 1) != 0) {
  }
  __threadfence();
  out[1] += in[0] + 1;  // says: global_race
  __threadfence();
  out[0] = 0;  // says: global_race
}

// <<<1, 128>>>
extern "C" __global__ void lock_of_warps(int* out, const int* in) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS_block(out, 0, 1) != 0) {
  }
  __threadfence_block();
  out[1] += in[0] + 1;
  __threadfence_block();
  atomicExch_block(out, 0);
}

// <<<4, 32>>>
extern "C" __global__ void lock_by_atomic_ref(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (OfDevice(*out).exchange(1, cuda::memory_order_acquire) != 0) {
  }
  out[1] += in[0] + 1;
  OfDevice(*out).store(0, cuda::memory_order_release);
}

// <<<4, 32>>>
extern "C" __global__ void lock_by_atomic_ref_of_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  while (OfBlock(*out).exchange(1, cuda::memory_order_acquire) != 0) {
  }
  out[1] += in[0] + 1;
  OfBlock(*out).store(0, cuda::memory_order_release);  // says: global_race
}

// ---- Sizes ----

// <<<2, 32>>>
extern "C" __global__ void atomics_of_two_sizes(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(out), 1ULL << 32);
  } else {
    atomicAdd(out + 1, in[0] + 1);  // says: global_race
  }
}

// <<<2, 32>>>
extern "C" __global__ void atomics_of_one_size(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(out), 1ULL << 32);
  } else {
    atomicAdd(reinterpret_cast<unsigned long long*>(out), (in[0] + 1ULL) << 32);
  }
}

// A pair of halves is two atomics.
// <<<2, 32>>>
extern "C" __global__ void atomics_of_pairs(__half* out, const int* in) {
  if (threadIdx.x != 0) return;
  const __half one = __int2half_rn(in[0] + 1);
  if (blockIdx.x == 0) {
    atomicAdd(reinterpret_cast<__half2*>(out), __half2half2(one));
  } else {
    atomicAdd(out + 1, one);
  }
}

// ---- Volatile data ----

// <<<4, 32>>>
extern "C" __global__ void volatile_sums_without_a_fence(int* out, const int* in) {
  volatile int* sums = out + 1;
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = in[0] + 5;
  if (atomicAdd(out, 1) != 3) return;
  __threadfence();
  out[8] = sums[0] + sums[1] + sums[2] + sums[3];  // says: global_race
}

// <<<4, 32>>>
extern "C" __global__ void volatile_sums_with_fences(int* out, const int* in) {
  volatile int* sums = out + 1;
  if (threadIdx.x != 0) return;
  sums[blockIdx.x] = in[0] + 5;
  __threadfence();
  if (atomicAdd(out, 1) != 3) return;
  __threadfence();
  out[8] = sums[0] + sums[1] + sums[2] + sums[3];
}

// <<<2, 32>>>
extern "C" __global__ void volatile_data_behind_a_volatile_flag(int* out, const int* in) {
  volatile int* flag = out;
  volatile int* data = out + 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = in[0] + 5;
    *flag = 1;
  } else {
    while (*flag == 0) {  // says: volatile_race
    }
    out[2] = *data;  // says: global_race
  }
}

// An old value of a flag does no harm, so no fence need stand before the atomic.
// <<<4, 32>>>
extern "C" __global__ void volatile_stop_beside_a_counter(int* out, const int* in) {
  volatile int* stop = out + 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) *stop = 1;
  if (atomicAdd(out, in[0] + 1) > 100) return;
  if (*stop == 0) out[8 + blockIdx.x] = 1;  // says: volatile_race
}

// ---- Totals ----

// <<<4, 32>>>
extern "C" __global__ void total_set_by_a_block(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) *out = in[0];
  atomicAdd(out, 1);  // says: global_race
}

// ---- Tickets ----

// <<<4, 32>>>
extern "C" __global__ void ticket_lock_without_a_fence(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  const int ticket = atomicAdd(out, 1);
  while (atomicAdd(out + 1, 0) != ticket) {
  }
  __threadfence();
  out[2] += in[0] + 1;  // says: global_race
  atomicAdd(out + 1, 1);
}

// <<<4, 32>>>
extern "C" __global__ void ticket_lock_with_fences(int* out, const int* in) {
  if (threadIdx.x != 0) return;
  const int ticket = atomicAdd(out, 1);
  while (atomicAdd(out + 1, 0) != ticket) {
  }
  __threadfence();
  out[2] += in[0] + 1;
  __threadfence();
  atomicAdd(out + 1, 1);
}
