// The blocks meet at a barrier of their own: an arrival counter in global memory.
// WRONG: the barrier has no fences.
// finds: global_race
// prints: 765 0
#include <cstdio>

__device__ unsigned arrived;

__device__ void GridBarrier(unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
#ifndef WRONG
    __threadfence();
#endif
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < goal) {
    }
#ifndef WRONG
    __threadfence();
#endif
  }
  __syncthreads();
}

__global__ void TwoPhases(int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  x[i] = 3 * i;  // named
  GridBarrier(gridDim.x);
  y[i] = x[n - 1 - i];  // named
}

int main() {
  const int blocks = 4, threads = 64, n = blocks * threads;
  int *x, *y, host[n];
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&y, sizeof(host));
  TwoPhases<<<blocks, threads>>>(x, y);
  cudaMemcpy(host, y, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[n - 1]);
  cudaFree(x);
  cudaFree(y);
}
