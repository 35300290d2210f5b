// Matrices of all blocks are added to one under a lock; the whole block adds.
// WRONG: the lock is released without a fence.
// finds: global_race
// prints: 20 20
#include <cstdio>

constexpr int kSize = 64;

__global__ void AddAll(const float* in, float* total, int* mutex) {
  if (threadIdx.x == 0) {
    while (atomicCAS(mutex, 0, 1) != 0) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
  total[threadIdx.x] += in[blockIdx.x * kSize + threadIdx.x];  // named
#ifndef WRONG
  __threadfence();
#endif
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(mutex, 0);
}

int main() {
  const int blocks = 10;
  float *in, *total;
  int* mutex;
  static float host[blocks * kSize];
  for (float& x : host) x = 2;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&total, kSize * sizeof(float));
  cudaMalloc(&mutex, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, kSize * sizeof(float));
  cudaMemset(mutex, 0, sizeof(int));
  AddAll<<<blocks, kSize>>>(in, total, mutex);
  cudaMemcpy(host, total, kSize * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[kSize - 1]);
  cudaFree(in);
  cudaFree(total);
  cudaFree(mutex);
}
