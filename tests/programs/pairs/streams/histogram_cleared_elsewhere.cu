// Two streams add to one histogram with atomics, which do not disturb each other.
// WRONG: the histogram is cleared in the first of them only.
// finds: unordered_use
// prints: 8000
#include <cstdio>

__global__ void Count(const unsigned char* text, int n, unsigned* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[text[i] & 31], 1u);
}

int main() {
  const int n = 8000, half = n / 2;
  unsigned char *host, *text;
  unsigned* bins;
  cudaMallocHost(&host, n);
  cudaMalloc(&text, n);
  cudaMalloc(&bins, 32 * sizeof(unsigned));
  for (int i = 0; i < n; i++) host[i] = i % 29;
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]);
  cudaStreamCreate(&streams[1]);
  cudaMemsetAsync(bins, 0, 32 * sizeof(unsigned), streams[0]);  // named
#ifndef WRONG
  cudaStreamSynchronize(streams[0]);
#endif
  for (int s = 0; s < 2; s++) {
    cudaMemcpyAsync(text + s * half, host + s * half, half, cudaMemcpyHostToDevice, streams[s]);
    Count<<<(half + 255) / 256, 256, 0, streams[s]>>>(text + s * half, half, bins);  // named
  }
  for (auto stream : streams) cudaStreamSynchronize(stream);
  unsigned result[32], sum = 0;
  cudaMemcpy(result, bins, sizeof(result), cudaMemcpyDeviceToHost);
  for (unsigned bin : result) sum += bin;
  printf("%u\n", sum);
  for (auto stream : streams) cudaStreamDestroy(stream);
  cudaFree(text);
  cudaFree(bins);
  cudaFreeHost(host);
}
