// Seven sums of n unsigned ints, each without the bottleneck of the one before it. A block of
// kBlock threads writes one partial sum.

constexpr int kBlock = 256;

// 1: the threads that add are spread over all warps.
extern "C" __global__ void interleaved(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[kBlock];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < kBlock; s *= 2) {
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// 2: the first threads add, but their elements meet in banks.
extern "C" __global__ void strided(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[kBlock];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < kBlock; s *= 2) {
    const unsigned at = 2 * s * t;
    if (at < kBlock) sums[at] += sums[at + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// 3: neighbouring threads add neighbouring elements.
extern "C" __global__ void sequential(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[kBlock];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = kBlock / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// 4: each thread adds two elements while it loads, so half as many blocks are needed.
extern "C" __global__ void first_add(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[kBlock];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * 2 * kBlock + t;
  sums[t] = (i < n ? in[i] : 0) + (i + kBlock < n ? in[i + kBlock] : 0);
  __syncthreads();
  for (unsigned s = kBlock / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// Adds the last 64 elements by one warp, without barriers of the block.
__device__ __forceinline__ unsigned AddLastWarp(const unsigned* sums, unsigned t) {
  unsigned sum = sums[t] + sums[t + 32];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
  return sum;
}

// 5: the last warp needs neither shared memory nor barriers.
extern "C" __global__ void last_warp(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[kBlock];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * 2 * kBlock + t;
  sums[t] = (i < n ? in[i] : 0) + (i + kBlock < n ? in[i + kBlock] : 0);
  __syncthreads();
#pragma unroll 1
  for (unsigned s = kBlock / 2; s > 32; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = AddLastWarp(sums, t);
  if (t == 0) out[blockIdx.x] = sum;
}

// 6: the loop is unrolled.
extern "C" __global__ void unrolled(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[kBlock];
  const unsigned t = threadIdx.x;
  const int i = blockIdx.x * 2 * kBlock + t;
  sums[t] = (i < n ? in[i] : 0) + (i + kBlock < n ? in[i + kBlock] : 0);
  __syncthreads();
#pragma unroll
  for (unsigned s = kBlock / 2; s > 32; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = AddLastWarp(sums, t);
  if (t == 0) out[blockIdx.x] = sum;
}

// 7: each thread adds many elements, so the steps in shared memory are made by few blocks.
extern "C" __global__ void many_each(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned sums[kBlock];
  const unsigned t = threadIdx.x;
  unsigned mine = 0;
  for (int i = blockIdx.x * kBlock + t; i < n; i += gridDim.x * kBlock) mine += in[i];
  sums[t] = mine;
  __syncthreads();
#pragma unroll
  for (unsigned s = kBlock / 2; s > 32; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t >= 32) return;
  const unsigned sum = AddLastWarp(sums, t);
  if (t == 0) out[blockIdx.x] = sum;
}

// Every element is 0x01010101. One thread compares the sum of all partial sums with n times this.
extern "C" __global__ void check_sum(const unsigned* out, int partial, int n, unsigned* wrong) {
  unsigned sum = 0;
  for (int i = 0; i < partial; ++i) sum += out[i];
  if (sum != n * 0x01010101u) *wrong = 1;
}
