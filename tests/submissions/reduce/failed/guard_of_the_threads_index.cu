// score: 0
// says: compares threadIdx.x, which starts at 0 in every block
// The guard compares threadIdx.x with n instead of the index in the grid.
#include "reduce.h"

__global__ void add_up(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  sums[tid] = tid < n ? in[i] : 0;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (tid < s) sums[tid] += sums[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  add_up<<<(n + 255) / 256, 256>>>(in, out, n);
}
