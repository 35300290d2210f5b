// score: 60
// says: sectors moved
// Arrays of whole blocks are shared through a tile. In others each thread loads seven numbers.
#include "stencil.h"

constexpr int kBlock = 256;

__global__ void seven_loads(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int near = i - kRadius; near <= i + kRadius; ++near) {
    if (near >= 0 && near < n) sum += in[near];  // expect: sectors
  }
  out[i] = sum;
}

__global__ void tile_of_a_full_block(const float* in, float* out, int n) {
  __shared__ float tile[kBlock + 2 * kRadius];
  const int first = blockIdx.x * kBlock - kRadius;
  for (int i = threadIdx.x; i < kBlock + 2 * kRadius; i += kBlock) {
    tile[i] = first + i >= 0 && first + i < n ? in[first + i] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i <= 2 * kRadius; ++i) sum += tile[threadIdx.x + i];
  out[blockIdx.x * kBlock + threadIdx.x] = sum;
}

void stencil(const float* in, float* out, int n) {
  if (n % kBlock == 0) {
    tile_of_a_full_block<<<n / kBlock, kBlock>>>(in, out, n);
  } else {
    seven_loads<<<n / kBlock + 1, kBlock>>>(in, out, n);
  }
}
