// The last block adds the partial sums, which travel by atomics.
// WRONG: no fence between a partial sum and the counter; atomics alone do not order them.
// finds: global_race
// prints: 1024
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned arrived;
__device__ int partial[16];
__global__ void Sum(const int* in, int* out) {
  if (threadIdx.x != 0) return;
  int own = 0;
  for (int i = 0; i < 64; i++) own += in[blockIdx.x * 64 + i];
  atomicExch(&partial[blockIdx.x], own);  // named
#ifndef WRONG
  __threadfence();
#endif
  if (atomicAdd(&arrived, 1) < gridDim.x - 1) return;
#ifndef WRONG
  __threadfence();
#endif
  int sum = 0;
  for (int b = 0; b < gridDim.x; b++) sum += atomicAdd(&partial[b], 0);  // named
  *out = sum;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * 4);
  cudaMallocManaged(&out, 4);
  for (int i = 0; i < 1024; i++) in[i] = 1;
  Sum<<<16, 32>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  for (int* memory : {in, out}) cudaFree(memory);
}
