// Kernels with barriers that order nothing, at the lines that say so, and with barriers that are
// needed. Each runs with the grid and block of the comment before it; "out" and "in" are 64 KiB of
// zeros.
#include <cooperative_groups.h>

// <<<2, 64>>>
extern "C" __global__ void tile_of_others(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

// Each thread reads only what it has written itself.
// <<<2, 64>>>
extern "C" __global__ void tile_of_ones_own(volatile int* out, const int* in) {
  __shared__ volatile int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();  // says: needless_barrier
  out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void at_the_end(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  __syncthreads();  // says: needless_barrier
}

// No thread writes an element that others read.
// <<<1, 64>>>
extern "C" __global__ void between_reads(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int sum = tile[63 - threadIdx.x];
  __syncthreads();  // says: needless_barrier
  sum += tile[(threadIdx.x + 7) % 64];
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void both_of_a_loop(int* out, const int* in) {
  __shared__ int tile[64];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    tile[threadIdx.x] = in[threadIdx.x + 64 * i];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The loop is unrolled: one line has four barriers, of which only the last is needless.
// <<<1, 64>>>
extern "C" __global__ void both_of_an_unrolled_loop(int* out, const int* in) {
  __shared__ int tile[64];
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    tile[threadIdx.x] = in[threadIdx.x + 64 * i];
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Two buffers take turns: one barrier in each iteration is enough, a second one is needless.
// <<<1, 64>>>
extern "C" __global__ void two_buffers(int* out, const int* in) {
  __shared__ int tile[2][64];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 6; ++i) {
    tile[i % 2][threadIdx.x] = in[threadIdx.x + 64 * i];
    __syncthreads();
    sum += tile[i % 2][63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

// <<<1, 64>>>
extern "C" __global__ void two_buffers_and_one_too_many(int* out, const int* in) {
  __shared__ int tile[2][64];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 6; ++i) {
    tile[i % 2][threadIdx.x] = in[threadIdx.x + 64 * i];
    __syncthreads();
    sum += tile[i % 2][63 - threadIdx.x];
    __syncthreads();  // says: needless_barrier
  }
  out[threadIdx.x] = sum;
}

// Several turns of one line's barriers lie between the two accesses.
// <<<1, 64>>>
extern "C" __global__ void several_turns_later(int* out, const int* in) {
  __shared__ int tile[4][64];
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 12; ++i) {
    tile[i % 4][threadIdx.x] = in[threadIdx.x];
    if (i >= 2) sum += tile[(i + 2) % 4][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Either of the two is enough: each is needless as long as the other stays.
// <<<1, 64>>>
extern "C" __global__ void one_behind_the_other(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();  // says: needless_barrier
  out[threadIdx.x + 64] = 1;
  __syncthreads();  // says: needless_barrier
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// A barrier also orders two threads of one warp.
// <<<1, 32>>>
extern "C" __global__ void within_a_warp(int* out, const int* in) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void through_global_memory(int* out, const int*) {
  out[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = out[63 - threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = other;
}

// One thread overwrites what all have read.
// <<<1, 64>>>
extern "C" __global__ void written_by_one_reader(int* out, const int* in) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = in[0];
  __syncthreads();
  const int seen = flag;
  __syncthreads();
  if (threadIdx.x == 63) flag = seen + 1;
  __syncthreads();
  out[threadIdx.x] = flag + seen;
}

// A barrier whose value is used does more than order.
// <<<1, 64>>>
extern "C" __global__ void counts(int* out, const int* in) {
  out[threadIdx.x] = __syncthreads_count(in[threadIdx.x] == 0);
}

// Another block may read the value after the fence.
// <<<2, 64>>>
extern "C" __global__ void last_block(int* out, const int* in) {
  __shared__ bool last;
  out[64 + threadIdx.x] = in[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(out + 200, 1) == 1;
  __syncthreads();
  if (last && threadIdx.x == 0) out[0] = 1;
}

// Warps come to one barrier at two lines, so that neither line is judged alone.
// <<<1, 64>>>
extern "C" __global__ void at_two_lines(volatile int* out, const int* in) {
  out[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 32) {
    out[threadIdx.x + 64] = 1;
    __syncthreads();
    out[threadIdx.x + 128] = 2;
  } else {
    __syncthreads();
    out[threadIdx.x + 192] = 3;
  }
}

// The barrier is in a function of the student's file.
__device__ void wait_for_all();

// <<<1, 64>>>
extern "C" __global__ void in_a_function(int* out, const int* in) {
  out[threadIdx.x] = in[threadIdx.x];
  wait_for_all();
  out[threadIdx.x + 64] = in[threadIdx.x];
}

__device__ void wait_for_all() {
  __syncthreads();  // says: needless_barrier
}
