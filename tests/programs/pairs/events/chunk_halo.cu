// A stencil runs chunk by chunk: copy in, compute, copy out, one stream for each chunk.
// WRONG: the kernel of a chunk reads one element that the stream of the next chunk copies.
// finds: unordered_use
// prints: 0 bad
#include <cstdio>

constexpr int kChunks = 4, kChunk = 4096, kAll = kChunks * kChunk;

__global__ void Stencil(const float* in, float* out, int first) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  float left = i > 0 ? in[i - 1] : 0;
  float right = i < kAll - 1 ? in[i + 1] : 0;
  out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}

int main() {
  float *host, *in, *out;
  cudaMallocHost(&host, kAll * sizeof(float));
  cudaMalloc(&in, kAll * sizeof(float));
  cudaMalloc(&out, kAll * sizeof(float));
  for (int i = 0; i < kAll; i++) host[i] = i;
  cudaStream_t streams[kChunks];
  cudaEvent_t copied[kChunks];
  for (int c = 0; c < kChunks; c++) {
    cudaStreamCreate(&streams[c]);
    cudaEventCreate(&copied[c]);
  }
  for (int c = 0; c < kChunks; c++) {
    const int first = c * kChunk;
    cudaMemcpyAsync(in + first, host + first, kChunk * sizeof(float),
                    cudaMemcpyHostToDevice,  // named
                    streams[c]);
    cudaEventRecord(copied[c], streams[c]);
  }
  for (int c = 0; c < kChunks; c++) {
    const int first = c * kChunk;
#ifndef WRONG
    if (c > 0) cudaStreamWaitEvent(streams[c], copied[c - 1]);
    if (c < kChunks - 1) cudaStreamWaitEvent(streams[c], copied[c + 1]);
#endif
    Stencil<<<kChunk / 256, 256, 0, streams[c]>>>(in, out, first);  // named
  }
  cudaDeviceSynchronize();
  cudaMemcpy(host, out, kAll * sizeof(float), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 1; i < kAll - 1; i++) bad += host[i] != i;
  printf("%d bad\n", bad);
  for (int c = 0; c < kChunks; c++) {
    cudaStreamDestroy(streams[c]);
    cudaEventDestroy(copied[c]);
  }
  cudaFree(in);
  cudaFree(out);
  cudaFreeHost(host);
}
