// score: 0
// says: read in a second kernel what other blocks write
// The first block adds what other blocks write, and does not wait for them.
#include "reduce.h"
__global__ void Add(const float* in, float* part, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int h = 128; h > 0; h /= 2) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) part[blockIdx.x] = s[0];
  if (blockIdx.x == 0 && t == 0) {
    float all = s[0];
    for (int q = 1; q < gridDim.x; ++q) all += part[q];
    *out = all;
  }
}
void reduce_sum(const float* in, float* out, int n) {
  int blocks = (n + 255) / 256;
  float* part;
  cudaMalloc(&part, blocks * sizeof(float));
  Add<<<blocks, 256>>>(in, part, out, n);
  cudaDeviceSynchronize();
  cudaFree(part);
}
