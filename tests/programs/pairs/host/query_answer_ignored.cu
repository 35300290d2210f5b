// WRONG: the program asks whether the event has passed, and ignores the answer.
// finds: early_host_use
// prints: 3
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Store(int* a) { a[threadIdx.x] = 3; }

int main() {
  int *device, *host;
  cudaMalloc(&device, 128);
  cudaMallocHost(&host, 128);
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaStream_t s;
  cudaStreamCreate(&s);
  Store<<<1, 32, 0, s>>>(device);
  cudaMemcpyAsync(host, device, 128, cudaMemcpyDeviceToHost, s);  // named
  cudaEventRecord(e, s);
#ifdef WRONG
  cudaEventQuery(e);
#else
  while (cudaEventQuery(e) == cudaErrorNotReady) {
  }
#endif
  std::printf("%d\n", host[3]);  // named
  cudaStreamSynchronize(s);
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
  cudaFree(device);
  cudaFreeHost(host);
}
