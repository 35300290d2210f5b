// Kernels that several threads can run, and kernels that they must leave to one (parallel_test.cc).
// Each has two arrays of n words.
#include <cassert>
#include <cstdio>

extern "C" {

// ---- Kernels whose blocks can run on several threads ----

__global__ void scale(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i] + static_cast<int>(blockIdx.x);
}

__global__ void in_place(int* data, const int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; i < n && round < 4; ++round) data[i] = data[i] * 5 + round;
}

// Blocks write neighbouring bytes of a word, and read their own bytes again.
__global__ void bytes(unsigned char* out, const unsigned char* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = static_cast<unsigned char>(in[n - 1 - i] + 1);
  if (i % 3 == 0) out[i] += in[i];
}

__global__ void scatter(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[static_cast<int>(i * 17LL % n)] = in[i];
}

__global__ void transpose_tiles(int* out, const int* in, int n) {
  __shared__ int tile[32][33];
  const int width = 256;
  const int tiles = width / 32;
  const int x = blockIdx.x % tiles * 32 + threadIdx.x % 32;
  const int y = blockIdx.x / tiles % tiles * 32;
  for (int row = threadIdx.x / 32; row < 32; row += blockDim.x / 32) {
    tile[row][threadIdx.x % 32] = in[((y + row) * width + x) % n];
  }
  __syncthreads();
  const int to = blockIdx.x % tiles * 32;
  for (int row = threadIdx.x / 32; row < 32; row += blockDim.x / 32) {
    const int at = (to + row) * width + y + threadIdx.x % 32;
    if (blockIdx.x < tiles * tiles && at < n) out[at] = tile[threadIdx.x % 32][row];
  }
}

__global__ void histogram_of_block(int* out, const int* in, int n) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) out[blockIdx.x * 16 + threadIdx.x] = bins[threadIdx.x];
}

__device__ __noinline__ int Twist(int value, int* scratch) {
  for (int i = 0; i < 8; ++i) scratch[(value + i) & 7] = value * i;
  return scratch[value & 7];
}

__global__ void calls(int* out, const int* in, int n) {
  int scratch[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Twist(in[i], scratch) + scratch[(in[i] + 1) & 7];
}

// ---- Kernels that depend on the order of blocks ----

__global__ void atomic_count(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 0) atomicAdd(&out[0], 1);
  if (i < n && i > 0) out[i] = in[i];
}

__global__ void ticket(int* out, const int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = atomicAdd(&out[n - 1], 1);
}

__global__ void neighbours(int* data, const int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) data[i] = data[i - 1] + 1;
}

__global__ void same_flag(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 5) out[7] = 1;
}

__global__ void last_one_wins(int* out, const int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i % (n / 8)] = i;
}

__global__ void says_so(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i];
  if (i % 1000 == 3) printf("element %d is %d\n", i, in[i]);
}

__global__ void clocks(long long* out, const int*, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) out[i] = clock64();
}

__global__ void beyond(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = in[i < n ? i : 0];
}

__global__ void asserts(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i != n / 2);
  if (i < n) out[i] = in[i];
}

__global__ void one_never_ends(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i];
  while (blockIdx.x == 20 && in[i] != -1) out[i] += in[i];
}

__global__ void waits_for_the_first(volatile int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) out[0] = -4;
  while (blockIdx.x == 0 && out[0] != -4) {
  }
  if (i > 0 && i < n) out[i] = in[i];
}

__global__ void races_within_a_block(int* out, const int* in, int n) {
  __shared__ int turned[1024];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  turned[threadIdx.x] = i < n ? in[i] : 0;
  if (i < n) out[i] = turned[blockDim.x - 1 - threadIdx.x];
}

__global__ void uses_what_nothing_wrote(int* out, const int* in, int n) {
  __shared__ int some[1024];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0) some[threadIdx.x] = blockIdx.x;
  if (i < n) out[i] = in[i] + (blockIdx.x == 9 ? some[threadIdx.x] : 0);
}

__global__ void traps(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == n / 3) __trap();
  if (i < n) out[i] = in[i];
}
}
