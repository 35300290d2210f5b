// Each of two streams writes half of the partial sums; a last kernel adds them up.
// WRONG: the last kernel waits for its own stream only.
// finds: unordered_use
// prints: 73716 73716
#include <cstdio>

constexpr int kThreads = 128;

__global__ void Reduce(const int* in, int* partial, int n) {
  __shared__ int values[kThreads];
  int i = blockIdx.x * kThreads + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step >>= 1) {
    if (threadIdx.x < step) values[threadIdx.x] += values[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = values[0];
}

int main() {
  const int n = 16384, half = n / 2, blocks = half / kThreads;
  int *in, *partial, *total, *host;
  cudaMallocHost(&host, n * sizeof(int));
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&partial, 2 * blocks * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  for (int i = 0; i < n; i++) host[i] = i % 10;
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEvent_t b_done;
  cudaEventCreate(&b_done);
  cudaMemcpyAsync(in, host, half * sizeof(int), cudaMemcpyHostToDevice, a);
  cudaMemcpyAsync(in + half, host + half, half * sizeof(int), cudaMemcpyHostToDevice, b);
  Reduce<<<blocks, kThreads, 0, a>>>(in, partial, half);
  Reduce<<<blocks, kThreads, 0, b>>>(in + half, partial + blocks, half);  // named
  cudaEventRecord(b_done, b);
#ifndef WRONG
  cudaStreamWaitEvent(a, b_done);
#endif
  Reduce<<<1, kThreads, 0, a>>>(partial, total, 2 * blocks);  // named
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
  int result = 0, expected = 0;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) expected += host[i];
  printf("%d %d\n", result, expected);
  cudaEventDestroy(b_done);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(total);
  cudaFreeHost(host);
}
