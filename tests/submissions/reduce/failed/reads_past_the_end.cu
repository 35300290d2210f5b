// score: 90
// The kernel loads an element before it compares the index with n.
#include "reduce.h"

__global__ void reduce_reads_past_the_end(const float* in, float* out, int n) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int first = blockIdx.x * 256; first < n; first += gridDim.x * 256) {
    float value = in[first + t];  // expect: past
    sum += first + t < n ? value : 0;
  }
  sums[t] = sum;
  for (int s = 128; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sums[t] += sums[t + s];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  reduce_reads_past_the_end<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
