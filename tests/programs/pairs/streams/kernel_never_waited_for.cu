// A kernel counts in a stream of its own.
// WRONG: the program ends without a wait for the non-blocking stream.
// finds: unfinished_kernel
// prints: started
#include <cuda_runtime.h>

#include <cstdio>

__device__ int count;
__global__ void Count() { atomicAdd(&count, 1); }

int main() {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  Count<<<1, 32, 0, s>>>();  // named
  std::printf("started\n");
#ifndef WRONG
  cudaStreamSynchronize(s);
#endif
  cudaStreamDestroy(s);
}
