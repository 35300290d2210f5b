// score: 85
// says: 32-way bank conflict
// Every element is added to one float of its block. A GPU has no instruction for that, and one
// lane after the other succeeds.
#include "reduce.h"

__global__ void add_in_turns(const float* in, float* out, int n) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&total, in[i]);  // expect: bank conflict
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  add_in_turns<<<1024, 256>>>(in, out, n);
}
