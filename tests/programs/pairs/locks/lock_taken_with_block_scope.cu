// A lock of atomicCAS protects a counter.
// WRONG: the lock is taken by atomicCAS_block(), which two blocks may do at the same time.
// finds: global_race
// prints: 8 visitors
#include <cstdio>

struct Mutex {
  int state;
  __device__ void lock() {
#ifdef WRONG
    while (atomicCAS_block(&state, 0, 1) != 0) {  // named
    }
#else
    while (atomicCAS(&state, 0, 1) != 0) {
    }
#endif
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(&state, 0);  // named
  }
};

__global__ void Visit(Mutex* mutex, int* visitors) {
  if (threadIdx.x % 32 == 0) {
    mutex->lock();
    *visitors = *visitors + 1;
    mutex->unlock();
  }
}

int main() {
  Mutex* mutex;
  int *visitors, result;
  cudaMalloc(&mutex, sizeof(Mutex));
  cudaMalloc(&visitors, sizeof(int));
  cudaMemset(mutex, 0, sizeof(Mutex));
  cudaMemset(visitors, 0, sizeof(int));
  Visit<<<8, 32>>>(mutex, visitors);
  cudaMemcpy(&result, visitors, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d visitors\n", result);
  cudaFree(mutex);
  cudaFree(visitors);
}
