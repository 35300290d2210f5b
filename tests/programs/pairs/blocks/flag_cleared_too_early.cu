// A block repeats a step until nothing changes.
// WRONG: the flag is cleared while slower threads still look at the old one.
// finds: shared_race
// prints: 63
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Spread(int* a) {
  __shared__ int values[64];
  __shared__ int changed;
  int t = threadIdx.x;
  values[t] = a[t];
  __syncthreads();
  do {
#ifndef WRONG
    __syncthreads();
#endif
    if (t == 0) changed = 0;  // named
    int left = t > 0 ? values[t - 1] : 0;
    __syncthreads();
    if (left > values[t]) {
      values[t] = left;
      atomicExch(&changed, 1);
    }
    __syncthreads();
  } while (changed);  // named
  a[t] = values[t];
}

int main() {
  int* a;
  cudaMallocManaged(&a, 256);
  for (int i = 0; i < 64; i++) a[i] = i == 0 ? 63 : 0;
  Spread<<<1, 64>>>(a);
  cudaDeviceSynchronize();
  std::printf("%d\n", a[63]);
  cudaFree(a);
}
