// While the device works, the host counts; it stops when the event is done.
// WRONG: the loop ends after ten rounds, whether the event is done or not.
// finds: early_host_use
// prints: 0 bad
#include <cstdio>

__global__ void Triple(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i];
}

int main() {
  const int n = 5000;
  int *host, *in, *out;
  cudaMallocHost(&host, n * sizeof(int));
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  for (int i = 0; i < n; i++) host[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t stop;
  cudaEventCreate(&stop);
  cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  Triple<<<20, 256, 0, stream>>>(in, out, n);
  cudaMemcpyAsync(host, out, n * sizeof(int), cudaMemcpyDeviceToHost, stream);  // named
  cudaEventRecord(stop, stream);
  unsigned long counter = 0;
#ifdef WRONG
  for (int round = 0; round < 10; round++) counter++;
#else
  while (cudaEventQuery(stop) == cudaErrorNotReady) counter++;
#endif
  int bad = 0;
  for (int i = 0; i < n; i++) bad += host[i] != 3 * i;  // named
  printf("%d bad\n", bad);
  cudaEventSynchronize(stop);
  cudaEventDestroy(stop);
  cudaStreamDestroy(stream);
  cudaFree(in);
  cudaFree(out);
  cudaFreeHost(host);
  if (counter > 1000000000) printf("many queries\n");
}
