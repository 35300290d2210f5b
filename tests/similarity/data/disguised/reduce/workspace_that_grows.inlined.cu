// This has a buffer that stays between the calls.
#include "reduce.h"

float* memory = nullptr;
int elements = 0;
cudaStream_t stream = nullptr;

__global__ void reduce_in_workspace(const float* in, float* out, int n) {
  __shared__ float sums[512];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * 512 + t;
  sums[t] = i < n ? in[i] : 0;
  for (unsigned stride = 256; stride > 0; stride >>= 1) {
    __syncthreads();
    if (t < stride) sums[t] += sums[t + stride];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

void reduce_sum(const float* in, float* out, int n) {
  int blocks = (n + 511) / 512;
  int half = (blocks + 31) / 32 * 32;
  if (stream == nullptr) cudaStreamCreate(&stream);
  if (2 * half > elements) {
    cudaFree(memory);
    cudaMalloc(&memory, 2 * half * sizeof(float));
    elements = 2 * half;
  }
  float* from = memory;
  float* to = memory + half;
  reduce_in_workspace<<<blocks, 512, 0, stream>>>(in, blocks == 1 ? out : to, n);
  while (blocks > 1) {
    n = blocks;
    blocks = (n + 511) / 512;
    float* other = from;
    from = to;
    to = other;
    reduce_in_workspace<<<blocks, 512, 0, stream>>>(from, blocks == 1 ? out : to, n);
  }
  cudaStreamSynchronize(stream);
}
