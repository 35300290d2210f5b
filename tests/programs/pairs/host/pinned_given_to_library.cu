// Pinned memory is sorted by std::sort() after it came from the device.
// WRONG: nothing waits for the copy.
// finds: early_host_use
// prints: sorted
#include <algorithm>
#include <cstdio>

__global__ void Scramble(unsigned* x, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (i * 2654435761u) >> 7;
}

int main() {
  const unsigned n = 3000;
  unsigned *x, *host;
  cudaMalloc(&x, n * sizeof(unsigned));
  cudaMallocHost(&host, n * sizeof(unsigned));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Scramble<<<12, 256, 0, stream>>>(x, n);
  cudaMemcpyAsync(host, x, n * sizeof(unsigned), cudaMemcpyDeviceToHost, stream);  // named
#ifndef WRONG
  cudaStreamSynchronize(stream);
#endif
  std::sort(host, host + n);  // named
  printf("%s\n", std::is_sorted(host, host + n) ? "sorted" : "not sorted");
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFreeHost(host);
}
