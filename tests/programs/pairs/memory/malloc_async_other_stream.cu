// Scratch memory of a pool is allocated in one stream and used in another.
// WRONG: the other stream does not wait for the allocation.
// finds: unordered_use
// prints: 7
#include <cstdio>

__global__ void Fill(int* scratch) { scratch[blockIdx.x * blockDim.x + threadIdx.x] = 7; }

int main() {
  const size_t bytes = 4096 * sizeof(int);
  cudaStream_t owner, user;
  cudaStreamCreate(&owner);
  cudaStreamCreate(&user);
  cudaEvent_t allocated, used;
  cudaEventCreateWithFlags(&allocated, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&used, cudaEventDisableTiming);
  int* scratch = nullptr;
  cudaMallocAsync(&scratch, bytes, owner);  // named
  cudaEventRecord(allocated, owner);
#ifndef WRONG
  cudaStreamWaitEvent(user, allocated, 0);
#endif
  Fill<<<16, 256, 0, user>>>(scratch);  // named
  cudaEventRecord(used, user);
  int last;
  cudaMemcpyAsync(&last, scratch + 4095, sizeof(int), cudaMemcpyDeviceToHost, user);
  cudaEventRecord(used, user);
  cudaStreamWaitEvent(owner, used, 0);
  cudaFreeAsync(scratch, owner);
  cudaDeviceSynchronize();
  printf("%d\n", last);
  cudaEventDestroy(allocated);
  cudaEventDestroy(used);
  cudaStreamDestroy(owner);
  cudaStreamDestroy(user);
}
