// The stream of the consumer waits for an event.
// WRONG: the program does not record the event; the wait does nothing.
// finds: unordered_use
// prints: 2500
#include <cstdio>

__global__ void Produce(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f / (i + 1);
}

__global__ void Consume(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1.0f / x[i];
}

int main() {
  const int n = 2500;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaStream_t producer, consumer;
  cudaStreamCreate(&producer);
  cudaStreamCreate(&consumer);
  cudaEvent_t produced;
  cudaEventCreate(&produced);
  Produce<<<10, 256, 0, producer>>>(x, n);  // named
#ifndef WRONG
  cudaEventRecord(produced, producer);
#endif
  cudaStreamWaitEvent(consumer, produced, 0);  // named
  Consume<<<10, 256, 0, consumer>>>(x, y, n);  // named
  float last;
  cudaStreamSynchronize(consumer);
  cudaMemcpy(&last, y + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.0f\n", last);
  cudaEventDestroy(produced);
  cudaStreamDestroy(producer);
  cudaStreamDestroy(consumer);
  cudaFree(x);
  cudaFree(y);
}
