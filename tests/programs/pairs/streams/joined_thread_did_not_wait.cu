// A thread of the host computes in its own stream, and is joined before the result is used.
// WRONG: the join waits for the thread, not for its stream.
// finds: unordered_use
// prints: 178 steps
#include <cstdio>
#include <thread>

__global__ void Collatz(int* steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long value = i + 1;
  int count = 0;
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++count;
  }
  steps[i] = count;
}

__global__ void Largest(const int* steps, int n, int* largest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(largest, steps[i]);
}

int main() {
  const int n = 1000;
  int *steps, *largest;
  cudaMalloc(&steps, n * sizeof(int));
  cudaMalloc(&largest, sizeof(int));
  cudaMemset(largest, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  std::thread worker([&] {
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    Collatz<<<8, 128, 0, own>>>(steps, n);  // named
#ifndef WRONG
    cudaStreamSynchronize(own);
#endif
    cudaStreamDestroy(own);
  });
  worker.join();
  Largest<<<8, 128, 0, stream>>>(steps, n, largest);  // named
  int result;
  cudaMemcpyAsync(&result, largest, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d steps\n", result);
  cudaStreamDestroy(stream);
  cudaDeviceSynchronize();
  cudaFree(steps);
  cudaFree(largest);
}
