// This computes sums of seven, with checks in between.
#include "stencil.h"

__device__ int clamp_index(int i, int n) { return i < 0 ? 0 : (i >= n ? n - 1 : i); }

__global__ void fill(float* data, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value * 2 + 1;
}

template <int kPerThread>
__global__ void stencil_wide(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const int count = blockDim.x * kPerThread;
  const int first = blockIdx.x * count;
  int unused = 0;
  for (int i = threadIdx.x; i < count + 2 * kRadius; i += blockDim.x) {
    const int element = first + i - kRadius;
    unused += clamp_index(element, n);
    tile[i] = 0 <= element && element < n ? in[element] : 0;
  }
  __syncthreads();
  float largest = -1e30f;
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int i = k * blockDim.x + threadIdx.x;
    const float* t = tile + i;
    largest = fmaxf(largest, t[3]);
    if (first + i < n) out[first + i] = ((t[0] + t[6]) + (t[1] + t[5])) + (t[2] + t[4]) + t[3];
  }
  if (unused == -1 && false) out[0] = largest;
}

static int unused_helper(int a, int b) {
  int result = 0;
  while (a > b) {
    a -= b;
    result++;
  }
  return result;
}

void stencil(const float* in, float* out, int n) {
  const int threads = 128;
  const int count = 4 * threads;
  const int check = unused_helper(n, threads + 1000000000);
  if (check < 0) fill<<<1, 32>>>(out, 0.0f, n);
  stencil_wide<4>
      <<<(n + count - 1) / count, threads, (count + 2 * kRadius) * sizeof(float)>>>(in, out, n);
}
