// score: 100
// As in libraries, partial sums lie in memory that is kept between calls, and one stream is made.
#include "reduce.h"

// Kept from call to call, and made anew where a call needs more.
struct Workspace {
  float* memory = nullptr;
  int elements = 0;
  cudaStream_t stream = nullptr;

  float* Of(int needed) {
    if (stream == nullptr) cudaStreamCreate(&stream);
    if (needed > elements) {
      cudaFree(memory);
      cudaMalloc(&memory, needed * sizeof(float));
      elements = needed;
    }
    return memory;
  }
};

Workspace workspace;

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
  int half = (blocks + 31) / 32 * 32;  // both halves begin at a sector
  float* scratch = workspace.Of(2 * half);
  float* from = scratch;
  float* to = scratch + half;
  reduce_in_workspace<<<blocks, 512, 0, workspace.stream>>>(in, blocks == 1 ? out : to, n);
  while (blocks > 1) {
    n = blocks;
    blocks = (n + 511) / 512;
    float* other = from;
    from = to;
    to = other;
    reduce_in_workspace<<<blocks, 512, 0, workspace.stream>>>(from, blocks == 1 ? out : to, n);
  }
  cudaStreamSynchronize(workspace.stream);
}
