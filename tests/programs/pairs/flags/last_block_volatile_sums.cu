// The last block adds the partial sums.
// WRONG: no fence between the partial sum and the counter.
// finds: global_race
// prints: 1024
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned arrived;
__global__ void Sum(const int* in, volatile int* partial, int* out) {
  __shared__ int sums[64];
  __shared__ bool last;
  int t = threadIdx.x;
  sums[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = sums[0];  // named
#ifndef WRONG
    __threadfence();
#endif
    last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += partial[b];  // named
    *out = sum;
  }
}

int main() {
  int *in, *partial, *out;
  cudaMallocManaged(&in, 1024 * 4);
  cudaMalloc(&partial, 16 * 4);
  cudaMallocManaged(&out, 4);
  for (int i = 0; i < 1024; i++) in[i] = 1;
  Sum<<<16, 64>>>(in, partial, out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  for (int* memory : {in, partial, out}) cudaFree(memory);
}
