// Kernels that use memory which nothing has written, and kernels that only look as if they did. A
// comment "speaks" stands on the line that a report has to name, "used" on the one where the value
// is used.
#include <cuda_fp16.h>

__device__ int zeroed[64];
__device__ int given[2] = {1, 2};

extern "C" {

// Speak: global memory.

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

// Speak: shared memory.

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

// Speak: local memory.

__global__ void forgets_part_of_a_local_array(const int* in, int* out) {
  int values[8];
  for (int i = 0; i < in[0]; ++i) values[i] = i;
  out[threadIdx.x] = values[in[threadIdx.x + 1]];  // speaks, used
}

// Silent.

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

__global__ void reads_partly_written(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }
}
