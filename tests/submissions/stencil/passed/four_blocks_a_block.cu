// score: 100
// Each block sums 512 elements with 128 threads, from a tile in dynamic shared memory.
#include "stencil.h"

template <int kPerThread>
__global__ void stencil_wide(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const int count = blockDim.x * kPerThread;
  const int first = blockIdx.x * count;
  for (int i = threadIdx.x; i < count + 2 * kRadius; i += blockDim.x) {
    const int element = first + i - kRadius;
    tile[i] = 0 <= element && element < n ? in[element] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int i = k * blockDim.x + threadIdx.x;
    const float* t = tile + i;
    if (first + i < n) out[first + i] = ((t[0] + t[6]) + (t[1] + t[5])) + (t[2] + t[4]) + t[3];
  }
}

void stencil(const float* in, float* out, int n) {
  const int threads = 128;
  const int count = 4 * threads;
  stencil_wide<4>
      <<<(n + count - 1) / count, threads, (count + 2 * kRadius) * sizeof(float)>>>(in, out, n);
}
