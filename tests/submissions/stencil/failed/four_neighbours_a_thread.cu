// score: 85
// The tile is loaded well, but then each thread sums four neighbouring elements: the threads of a
// warp read words that are four apart, which lie in eight banks only.
#include "stencil.h"

__global__ void stencil_coarse(const float* in, float* out, int n) {
  __shared__ float tile[512 + 2 * kRadius];
  __shared__ float result[512];
  const int first = blockIdx.x * 512;
  for (int i = threadIdx.x; i < 512 + 2 * kRadius; i += 128) {
    const int element = first + i - kRadius;
    tile[i] = element >= 0 && element < n ? in[element] : 0;
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const int i = threadIdx.x * 4 + k;
    float sum = 0;
    for (int j = 0; j <= 2 * kRadius; ++j) {
      sum += tile[i + j];  // expect: bank conflict
    }
    result[i] = sum;  // expect: bank conflict
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 128) {
    if (first + i < n) out[first + i] = result[i];
  }
}

void stencil(const float* in, float* out, int n) {
  stencil_coarse<<<(n + 511) / 512, 128>>>(in, out, n);
}
