// Kernels that use memory which nothing has written, and kernels that only seem to do so. A comment
// "speaks" marks the line that a finding must name, and "used" the line where the value is used.
#include <cuda_fp16.h>

__device__ int zeroed[64];
__device__ int given[2] = {1, 2};

extern "C" {

// Global memory: these kernels must be reported.

__global__ void copies_unwritten(const int* in, int* out) {
  const int value = in[threadIdx.x];  // speaks
  out[threadIdx.x] = value + 1;       // used
}

__global__ void branches_by_unwritten(const int* in, int* out) {
  int value = in[threadIdx.x];  // speaks
  while (value > 5) {           // used
    out[threadIdx.x] = 1;
    --value;
    __syncwarp();
  }
}

__global__ void addresses_by_unwritten(const int* in, int* out) {
  const int i = in[threadIdx.x] & 7;  // speaks
  out[i] = 1;                         // used
}

__global__ void adds_to_unwritten(int* out) { atomicAdd(out, 1); }  // speaks

__global__ void adds_unwritten(const int* in, int* out) {
  const int value = in[threadIdx.x];  // speaks
  atomicAdd(out, value);              // used
}

__global__ void shuffles_unwritten(const int* in, int* out) {
  int value = threadIdx.x < 8 ? 1 : in[threadIdx.x];  // speaks
  value = __shfl_sync(0xffffffff, value, (threadIdx.x + 1) % 32);
  if (threadIdx.x < 8) out[threadIdx.x] = value;  // used
}

__global__ void stores_the_last_element(const float4* in, float* out) {
  const float4 value = in[threadIdx.x];  // speaks
  out[threadIdx.x] = value.w;            // used
}

__noinline__ __device__ int twice(const int* at) { return 2 * *at; }
__noinline__ __device__ int plus(int value, int other) { return value + other; }

__global__ void passes_unwritten_to_functions(const int* in, int* out) {
  const int value = in[threadIdx.x];      // speaks
  out[threadIdx.x] = plus(value, twice(out + threadIdx.x));  // used
}

// Shared memory: these kernels must be reported.

__global__ void forgets_the_edge_of_a_tile(const int* in, int* out) {
  __shared__ int tile[34];
  tile[threadIdx.x + 1] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 2];  // speaks, used
}

__global__ void never_clears_its_accumulator(const int* in, int* out) {
  __shared__ int sum;
  atomicAdd(&sum, in[threadIdx.x]);  // speaks
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

__global__ void reduces_a_half_filled_tile(const int* in, int* out) {
  extern __shared__ int values[];
  if (threadIdx.x < 40) values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];  // speaks
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = values[0];  // used
}

__global__ void carries_unwritten_through_a_tile(const int* in, int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];  // speaks
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];  // used
}

// Local memory: these kernels must be reported.

__global__ void forgets_part_of_a_local_array(const int* in, int* out) {
  int values[8];
  for (int i = 0; i < in[0]; ++i) values[i] = i;
  out[threadIdx.x] = values[in[threadIdx.x + 1]];  // speaks, used
}

// These kernels must not be reported.

__global__ void reads_without_use(const int* in, int* out) {
  const volatile int* at = in + threadIdx.x;
  const int unused = *at;
  const int chosen = threadIdx.x % 2 == 0 ? unused : 7;
  const int other = __shfl_sync(0xffffffff, chosen, threadIdx.x | 1);
  out[threadIdx.x] = other;
}

__global__ void writes_before_it_reads(int* out) {
  out[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] += out[31 - threadIdx.x] >= 0;
}

__global__ void uses_variables(int* out) {
  out[threadIdx.x] = zeroed[threadIdx.x] + given[threadIdx.x % 2];
}

__global__ void loads_a_halo_and_never_uses_it(const int* in, int* out) {
  __shared__ int tile[40];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 8) tile[32 + threadIdx.x] = in[32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void exchanges(int* out, int* old) {
  const int before = atomicExch(out + threadIdx.x, 3);
  if (threadIdx.x > 100) old[threadIdx.x] = before;
}

__global__ void uses_a_local_array(const int* in, int* out) {
  int values[8];
  for (int i = 0; i < 8; ++i) values[i] = in[i];
  out[threadIdx.x] = values[in[threadIdx.x] % 8];
}

__global__ void stores_halves(const __half2* in, __half* out) {
  out[threadIdx.x] = __low2half(in[threadIdx.x]);
}

// Unwritten values cannot change the results of these kernels: nvcc makes one predicate, or one
// choice, of the two conditions.

__global__ void asks_for_the_end_first(const int* in, int* out) {
  __shared__ int values[64];
  if (threadIdx.x < 20) values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int mine = in[threadIdx.x];
  if (threadIdx.x < 20 && values[threadIdx.x] >= mine) out[threadIdx.x] = 1;
  if (threadIdx.x >= 20 || values[threadIdx.x] < mine) out[threadIdx.x] = 2;
}

__global__ void merges_with_an_exhausted_side(const int* in, int* out) {
  __shared__ int left[16], right[40];
  if (threadIdx.x < 4) left[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 28) right[threadIdx.x] = in[4 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  int i = 0, k = 0;
  for (int at = 0; at < 32; ++at) {
    const bool from_left = k >= 28 || (i < 4 && left[i] <= right[k]);
    out[at] = from_left ? left[i++] : right[k++];
  }
}

__global__ void masks_with_numbers(const int* in, int* out) {
  __shared__ int values[32];
  if (threadIdx.x < 20) values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int inside = threadIdx.x < 20;
  const int mask = -inside;
  const int value = values[threadIdx.x];
  int all, any, chosen, factor;
  asm("and.b32 %0, %1, %2;" : "=r"(all) : "r"(value), "r"(mask));
  asm("or.b32 %0, %1, %2;" : "=r"(any) : "r"(value), "r"(~mask));
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(chosen) : "r"(mask), "r"(value), "r"(7));
  asm("mul.lo.s32 %0, %1, %2;" : "=r"(factor) : "r"(value), "r"(inside));
  out[threadIdx.x] = all + any + chosen + factor;
}

__global__ void joins_two_results(const int* in, int* out) {
  __shared__ int values[32];
  if (threadIdx.x < 20) values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int yes;
  asm("{ .reg .pred p, q, r;\n"
      "setp.ge.s32 r, %1, 20;\n"
      "setp.gt.and.s32 p|q, %2, 1, !r;\n"
      "xor.pred p, p, q;\n"
      "or.pred p, p, r;\n"
      "selp.s32 %0, 1, 1, p; }"
      : "=r"(yes)
      : "r"(threadIdx.x), "r"(values[threadIdx.x]));
  out[threadIdx.x] = yes;
}

// Unwritten values can change the results of these kernels, which must be reported.

__global__ void asks_the_wrong_way(const int* in, int* out) {
  __shared__ int values[64];
  if (threadIdx.x < 20) values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 21 && values[threadIdx.x] >= in[threadIdx.x])  // speaks, used
    out[threadIdx.x] = 1;
}

__global__ void masks_too_little(const int* in, int* out) {
  __shared__ int values[32];
  if (threadIdx.x < 20) values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int mask = threadIdx.x < 20 ? -1 : 1;
  int some;
  const int value = values[threadIdx.x];  // speaks
  asm("and.b32 %0, %1, %2;" : "=r"(some) : "r"(value), "r"(mask));
  out[threadIdx.x] = some;  // used
}

__global__ void reads_partly_written(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
}
