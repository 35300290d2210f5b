// Two arrays are exchanged under a lock.
// WRONG: the lock is released by atomicExch_block().
// finds: global_race
// prints: 0x1010101
#include <cstdio>

__global__ void Exchange(int* lock, int* a, int* b) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {  // named
    }
    __threadfence();
  }
  __syncthreads();
  int old = a[threadIdx.x];
  a[threadIdx.x] = b[threadIdx.x];
  b[threadIdx.x] = old;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef WRONG
    atomicExch_block(lock, 0);  // named
#else
    atomicExch(lock, 0);
#endif
  }
}

int main() {
  int *lock, *a, *b, host[32];
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(a, 0, sizeof(host));
  cudaMemset(b, 1, sizeof(host));
  Exchange<<<7, 32>>>(lock, a, b);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%#x\n", host[9]);
  cudaFree(lock);
  cudaFree(a);
  cudaFree(b);
}
