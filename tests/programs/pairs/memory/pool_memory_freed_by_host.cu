// cudaFree() may be given memory of cudaMallocAsync(), but then it does not wait for the device.
// WRONG: the kernel may still write the memory.
// finds: early_host_use
// prints: 11
#include <cstdio>

__global__ void Write(int* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* p;
  cudaMallocAsync(&p, 1024 * sizeof(int), stream);
  int host[4];
  Write<<<1, 1024, 0, stream>>>(p);
  cudaMemcpyAsync(host, p + 8, sizeof(host), cudaMemcpyDeviceToHost, stream);
  Write<<<1, 512, 0, stream>>>(p);  // named
#ifndef WRONG
  cudaStreamSynchronize(stream);
#endif
  cudaFree(p);  // named
  cudaDeviceSynchronize();
  printf("%d\n", host[3]);
  cudaStreamDestroy(stream);
}
