// score: 0
// says: asks for 0 bytes of dynamic shared memory, but the kernel uses 1,024
// The launch gives no size for the dynamic shared memory that the kernel uses.
#include "reduce.h"

__global__ void add_up(const float* in, float* out, int n) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  add_up<<<blocks < 512 ? blocks : 512, 256>>>(in, out, n);
}
