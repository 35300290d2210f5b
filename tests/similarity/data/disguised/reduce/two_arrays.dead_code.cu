// This has a check of the result that is never used.
#include "reduce.h"

__device__ bool nearly(float a, float b) { return fabsf(a - b) <= 1e-6f * fabsf(a); }

__global__ void count_negative(const float* in, int* result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] < 0) atomicAdd(result, 1);
}

__global__ void reduce_two_arrays(const float* in, float* out, int n) {
  __shared__ float sums[8];
  __shared__ float numbers[256];
  int t = threadIdx.x;
  float sum = 0;
  float largest = 0, smallest = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
    float v = in[i];
    largest = fmaxf(largest, v);
    smallest = fminf(smallest, v);
    sum += v;
  }
  numbers[t] = sum;
  bool same = nearly(largest, smallest);
  __syncthreads();
  sum = numbers[255 - t];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
  if (t % 32 == 0) sums[7 - t / 32] = sum;
  __syncthreads();
  if (same && false) sums[0] = largest;
  if (t < 32) {
    sum = sums[t % 8];
    for (int s = 4; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (t == 0) atomicAdd(out, sum);
  }
}

void reduce_sum(const float* in, float* out, int n) {
  int* negative = nullptr;
  cudaMemset(out, 0, sizeof(float));
  int blocks = (n + 255) / 256;
  if (n < 0) count_negative<<<blocks, 256>>>(in, negative, n);
  reduce_two_arrays<<<blocks < 1024 ? blocks : 1024, 256>>>(in, out, n);
}
