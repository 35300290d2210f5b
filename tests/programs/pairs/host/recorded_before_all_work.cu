// The host waits for an event that should stand for the kernel and its copy.
// WRONG: the event is recorded between the kernel and the copy.
// finds: early_host_use
// prints: 3.1416
#include <cstdio>

__global__ void Pi(double* parts, int n) {
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    double x = (i + 0.5) / n;
    sum += 4 / (1 + x * x);
  }
  parts[threadIdx.x] = sum / n;
}

int main() {
  const int threads = 64;
  double *parts, *host;
  cudaMalloc(&parts, threads * sizeof(double));
  cudaMallocHost(&host, threads * sizeof(double));
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventBlockingSync | cudaEventDisableTiming);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Pi<<<1, threads, 0, stream>>>(parts, 4096);
#ifdef WRONG
  cudaEventRecord(done, stream);
  cudaMemcpyAsync(host, parts, threads * sizeof(double), cudaMemcpyDeviceToHost, stream);  // named
#else
  cudaMemcpyAsync(host, parts, threads * sizeof(double), cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(done, stream);
#endif
  cudaEventSynchronize(done);
  double pi = host[0];  // named
  for (int t = 1; t < threads; t++) pi += host[t];
  printf("%.4f\n", pi);
  cudaStreamSynchronize(stream);
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaFree(parts);
  cudaFreeHost(host);
}
