// A histogram is copied to pinned memory and printed.
// WRONG: the host reads the pinned memory without a wait for the copy.
// finds: early_host_use
// prints: 4000 values counted
#include <cstdio>

__global__ void Histogram(const unsigned char* data, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i] % 16], 1);
}

int main() {
  const int n = 4000;
  unsigned char *host_data, *data;
  int *host_bins, *bins;
  cudaHostAlloc(&host_data, n, cudaHostAllocDefault);
  cudaHostAlloc(&host_bins, 16 * sizeof(int), cudaHostAllocDefault);
  cudaMalloc(&data, n);
  cudaMalloc(&bins, 16 * sizeof(int));
  for (int i = 0; i < n; i++) host_data[i] = i;

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemsetAsync(bins, 0, 16 * sizeof(int), stream);
  cudaMemcpyAsync(data, host_data, n, cudaMemcpyHostToDevice, stream);
  Histogram<<<(n + 127) / 128, 128, 0, stream>>>(data, bins, n);
  cudaMemcpyAsync(host_bins, bins, 16 * sizeof(int), cudaMemcpyDeviceToHost, stream);  // named
#ifndef WRONG
  cudaStreamSynchronize(stream);
#endif
  int sum = 0;
  for (int i = 0; i < 16; i++) {
    sum += host_bins[i];  // named
  }
  printf("%d values counted\n", sum);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(data);
  cudaFree(bins);
  cudaFreeHost(host_data);
  cudaFreeHost(host_bins);
}
