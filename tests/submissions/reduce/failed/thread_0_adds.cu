// score: 65
// The block loads together, but its first thread alone adds all elements.
#include "reduce.h"

__global__ void reduce_first_thread(const float* in, float* out, int n) {
  __shared__ float values[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  values[t] = i < n ? in[i] : 0;
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int j = 0; j < 256; ++j) {
      sum += values[j];  // expect: 1 of 32 lanes active
    }
    atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  reduce_first_thread<<<(n + 255) / 256, 256>>>(in, out, n);
}
