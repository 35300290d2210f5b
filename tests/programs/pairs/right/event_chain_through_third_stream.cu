// Order passes on: b waits for a, c waits for b, so that c may read what a wrote. An event of a
// stream that was destroyed still counts, and one event object is used for many records in turn.
// prints: 5
#include <cstdio>

__global__ void Increment(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x]++; }

int main() {
  const int n = 1024;
  int *x, *host;
  cudaMalloc(&x, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaStream_t first;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaMemsetAsync(x, 0, n * sizeof(int), first);
  cudaEventRecord(event, first);
  cudaStreamDestroy(first);
  for (int i = 0; i < 5; i++) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamWaitEvent(stream, event, 0);
    Increment<<<4, 256, 0, stream>>>(x);
    cudaEventRecord(event, stream);
    cudaStreamDestroy(stream);
  }
  cudaStream_t last;
  cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking);
  cudaStreamWaitEvent(last, event, 0);
  cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost, last);
  cudaEventRecord(event, last);
  while (cudaEventQuery(event) == cudaErrorNotReady) {
  }
  printf("%d\n", host[n - 1]);
  cudaEventDestroy(event);
  cudaStreamDestroy(last);
  cudaFree(x);
  cudaFreeHost(host);
}
