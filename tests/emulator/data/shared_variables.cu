// Kernels that leave a shared variable without leaving shared memory, at the lines that say so, and
// kernels that do not, or for which this cannot be known. Each runs with the grid and block of the
// comment before it and 256 bytes of dynamic shared memory, on 64 KiB of zeros; "in" is another 64
// KiB.
#include <cuda_pipeline.h>

__device__ __noinline__ void set(int* to, int index, int value) { to[index] = value; }

// ---- Beyond the end, before the start ----

// <<<1, 64>>>
extern "C" __global__ void one_past_the_end(int* out, const int* in) {
  __shared__ int first[64];
  __shared__ int second[64];
  second[threadIdx.x] = 0;
  __syncthreads();
  first[threadIdx.x + 1] = in[threadIdx.x];  // says: shared_out_of_bounds
  __syncthreads();
  out[threadIdx.x] = second[threadIdx.x] + first[threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void last_elements(int* out, const int* in) {
  __shared__ int first[64];
  __shared__ int second[64];
  second[63 - threadIdx.x] = 1;
  first[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = second[threadIdx.x] + first[63 - threadIdx.x];
}

// <<<1, 64>>>
extern "C" __global__ void before_the_start(int* out, const int* in) {
  __shared__ int first[64];
  __shared__ int second[64];
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x] + second[static_cast<int>(threadIdx.x) - 1];  // says: shared_out_of_bounds
}

// The access skips the next variable, and hits the one after it.
// <<<1, 32>>>
extern "C" __global__ void far_beyond(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  __shared__ int third[32];
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  third[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int at = in[0] + threadIdx.x;
  out[threadIdx.x] = first[at + 64] + second[at] + third[at];  // says: shared_out_of_bounds
}

// <<<1, 32>>>
extern "C" __global__ void a_row_too_many(int* out, const int* in) {
  __shared__ int tile[8][33];
  __shared__ int sums[33];
  for (int i = 0; i <= 8; ++i) tile[i + in[i]][threadIdx.x] = i;  // says: shared_out_of_bounds
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[in[1]][threadIdx.x] + sums[in[threadIdx.x]];
}

// The index leaves its row but not the array, so that this cannot be known.
// <<<1, 32>>>
extern "C" __global__ void beyond_its_row(int* out, const int* in) {
  __shared__ int tile[8][32];
  __shared__ int sums[33];
  for (int i = 0; i < 8; ++i) tile[i][threadIdx.x] = in[i];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[in[1]][threadIdx.x + 40] + sums[in[threadIdx.x]];
}

// ---- Pointers ----

// <<<1, 32>>>
extern "C" __global__ void a_pointer_that_walks(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const volatile int* at = first + threadIdx.x;
  int sum = second[in[threadIdx.x]];
  for (int i = 0; i < 2 + in[i]; ++i, at += 31) sum += *at;  // says: shared_out_of_bounds
  out[threadIdx.x] = sum;
}

// <<<1, 32>>>
extern "C" __global__ void a_pointer_up_to_the_end(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (const int* at = first; at != first + 32 + in[0]; ++at) sum += *at;
  for (const int* at = second + 32 + in[0]; at != second;) sum += *--at;
  out[threadIdx.x] = sum;
}

// Two buffers are exchanged.
// <<<1, 32>>>
extern "C" __global__ void two_buffers(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  int* from = first;
  int* to = second;
  from[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 5 + in[0]; ++i) {
    to[threadIdx.x] = from[31 - threadIdx.x] + 1;
    __syncthreads();
    int* const next = from;
    from = to;
    to = next;
  }
  out[threadIdx.x] = from[threadIdx.x];
}

// The access is beyond both buffers.
// <<<1, 32>>>
extern "C" __global__ void beyond_two_buffers(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  __shared__ int rest[128];
  rest[threadIdx.x] = in[threadIdx.x];
  int* to = in[0] == 0 ? second : first;
  to[threadIdx.x + 32] = rest[in[threadIdx.x]];  // says: shared_out_of_bounds
  __syncthreads();
  out[threadIdx.x] = first[in[threadIdx.x]] + second[in[threadIdx.x]];
}

// A pointer points to one of two state spaces.
// <<<1, 32>>>
extern "C" __global__ void shared_or_global(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int* from = in[threadIdx.x] == 0 && threadIdx.x % 2 == 0 ? second : in;
  out[threadIdx.x] = from[threadIdx.x] + first[threadIdx.x];
}

// Pointers are in memory, so that it is not known which is meant.
// <<<1, 32>>>
extern "C" __global__ void pointers_in_memory(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[64];
  __shared__ int* buffers[2];
  if (threadIdx.x == 0) {
    buffers[0] = second;
    buffers[1] = first;
  }
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x + 32] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = buffers[in[0]][threadIdx.x + 32] + buffers[1][threadIdx.x];
}

// A function is called whose pointer may be that of any variable.
// <<<1, 32>>>
extern "C" __global__ void in_a_function(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  set(first, threadIdx.x + in[0], 1);
  set(second, threadIdx.x + in[0], 2);
  __syncthreads();
  out[threadIdx.x] = first[in[threadIdx.x]] + second[in[threadIdx.x]];
}

// ---- Other accesses ----

// <<<1, 64>>>
extern "C" __global__ void a_bin_too_many(int* out, const int* in) {
  __shared__ int bins[16];
  __shared__ int total;
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] + threadIdx.x % 17], 1);  // says: shared_out_of_bounds
  atomicAdd(&total, 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 16] + total;
}

// Twelve of the sixteen bytes are inside.
// <<<1, 32>>>
extern "C" __global__ void across_the_end(int* out, const int* in) {
  __shared__ __align__(16) int first[31];
  __shared__ __align__(16) int second[32];
  if (threadIdx.x < 31) first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int4 four = reinterpret_cast<const int4*>(first)[threadIdx.x / 4];  // says: shared_out_of_bounds
  out[threadIdx.x] = four.x + four.w + second[in[threadIdx.x]];
}

// <<<1, 32>>>
extern "C" __global__ void copied_beyond(int* out, const int* in) {
  __shared__ int first[32];
  __shared__ int second[32];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  __pipeline_memcpy_async(&first[threadIdx.x + 8], &in[threadIdx.x], 4);  // says: shared_out_of_bounds
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x | 8] + second[in[threadIdx.x]];
}

// The bytes of one variable are used as several types.
// <<<1, 32>>>
extern "C" __global__ void one_storage(int* out, const int* in) {
  __shared__ __align__(16) char storage[640];
  __shared__ int other[32];
  int* words = reinterpret_cast<int*>(storage);
  double* numbers = reinterpret_cast<double*>(storage + 128);
  words[threadIdx.x] = in[threadIdx.x];
  numbers[threadIdx.x + 32] = in[threadIdx.x];
  other[threadIdx.x] = static_cast<int>(&numbers[threadIdx.x] - reinterpret_cast<double*>(storage));
  __syncthreads();
  out[threadIdx.x] = words[other[threadIdx.x] - 16] + static_cast<int>(numbers[63 - threadIdx.x]);
}

// ---- Dynamic shared memory, 256 bytes, behind the variables ----

// <<<1, 32>>>
extern "C" __global__ void before_dynamic_memory(int* out, const int* in) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[32];
  fixed[threadIdx.x] = in[threadIdx.x];
  dynamic[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = dynamic[static_cast<int>(threadIdx.x) - 1] + fixed[in[0]];  // says: shared_out_of_bounds
}

// <<<1, 32>>>
extern "C" __global__ void into_dynamic_memory(int* out, const int* in) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[32];
  dynamic[threadIdx.x] = in[threadIdx.x];
  fixed[threadIdx.x + 1] = in[threadIdx.x];  // says: shared_out_of_bounds
  __syncthreads();
  out[threadIdx.x] = dynamic[in[threadIdx.x]] + fixed[threadIdx.x | 1];
}

// Dynamic memory is divided by hand, so that the ends of its parts are not known.
// <<<1, 32>>>
extern "C" __global__ void parts_of_dynamic_memory(int* out, const int* in) {
  extern __shared__ int dynamic[];
  int* second = dynamic + 32;
  dynamic[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = dynamic[threadIdx.x + 32] + second[31 - threadIdx.x];
}
