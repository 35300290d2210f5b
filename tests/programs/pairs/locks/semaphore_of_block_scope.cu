// A binary semaphore protects a sum of all blocks.
// WRONG: the semaphore has the scope of a block.
// finds: global_race
// prints: 66
#include <cstdio>
#include <cuda/semaphore>

#ifdef WRONG
using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;
#else
using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;
#endif

__global__ void Init(Semaphore* semaphore) { new (semaphore) Semaphore(1); }

__global__ void Add(Semaphore* semaphore, long long* sum) {
  if (threadIdx.x == 0) {
    semaphore->acquire();
    *sum += blockIdx.x;  // named
    semaphore->release();
  }
}

int main() {
  Semaphore* semaphore;
  long long *sum, result;
  cudaMalloc(&semaphore, sizeof(Semaphore));
  cudaMalloc(&sum, sizeof(long long));
  cudaMemset(sum, 0, sizeof(long long));
  Init<<<1, 1>>>(semaphore);
  Add<<<12, 32>>>(semaphore, sum);
  cudaMemcpy(&result, sum, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%lld\n", result);
  cudaFree(semaphore);
  cudaFree(sum);
}
