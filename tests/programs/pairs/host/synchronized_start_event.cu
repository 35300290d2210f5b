// A kernel is timed with two events.
// WRONG: the host waits for the start event instead of the stop event.
// finds: early_host_use
// prints: 102334155
#include <cstdio>

__global__ void Fibonacci(unsigned* out) {
  unsigned a = 0, b = 1;
  for (int i = 0; i < 40; i++) {
    unsigned next = a + b;
    a = b;
    b = next;
  }
  out[threadIdx.x] = a + threadIdx.x;
}

int main() {
  unsigned *device, *host;
  cudaMalloc(&device, 64 * sizeof(unsigned));
  cudaHostAlloc(&host, 64 * sizeof(unsigned), cudaHostAllocPortable);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEventRecord(start, stream);
  Fibonacci<<<1, 64, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost, stream);  // named
  cudaEventRecord(stop, stream);
#ifdef WRONG
  cudaEventSynchronize(start);
#else
  cudaEventSynchronize(stop);
#endif
  printf("%u\n", host[0]);  // named
  cudaEventSynchronize(stop);
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);
  printf("%s\n", ms >= 0 ? "timed" : "not timed");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaStreamDestroy(stream);
  cudaFree(device);
  cudaFreeHost(host);
}
