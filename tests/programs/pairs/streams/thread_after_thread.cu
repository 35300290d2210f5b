// Two threads of the host, each with its own default stream.
// WRONG: the second thread starts its kernel when the first has only queued its own.
// finds: unordered_use
// flags: --default-stream per-thread
// prints: 3
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>

__global__ void Set(int* a) { a[threadIdx.x] = 1; }
__global__ void AddTwo(int* a) { a[threadIdx.x] += 2; }

int main() {
  int *a, host[32];
  cudaMalloc(&a, sizeof host);
  std::thread first([&] {
    Set<<<1, 32>>>(a);  // named
#ifndef WRONG
    cudaStreamSynchronize(0);
#endif
  });
  first.join();
  std::thread second([&] {
    AddTwo<<<1, 32>>>(a);  // named
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  });
  second.join();
  std::printf("%d\n", host[0]);
  cudaDeviceSynchronize();
  cudaFree(a);
}
