// A list of records is protected by a lock of atomicCAS().
// WRONG: no fence follows the atomic that takes the lock.
// finds: global_race
// prints: 24 records, sum 276
#include <cstdio>

__device__ int lock;
__device__ int length;
__device__ int records[64];

__device__ void Lock() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
#ifndef WRONG
  __threadfence();
#endif
}

__device__ void Unlock() {
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void Append() {
  if (threadIdx.x == 0) {
    Lock();
    records[length] = blockIdx.x;
    length++;  // named
    Unlock();
  }
}

int main() {
  Append<<<24, 32>>>();
  int count, host[64], sum = 0;
  cudaMemcpyFromSymbol(&count, length, sizeof(int));
  cudaMemcpyFromSymbol(host, records, sizeof(host));
  for (int i = 0; i < count; i++) sum += host[i];
  printf("%d records, sum %d\n", count, sum);
}
