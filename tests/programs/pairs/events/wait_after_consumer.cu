// The consumer's stream must wait for the producer's.
// WRONG: the wait is issued after the consumer, and only later work obeys it.
// finds: unordered_use
// prints: 4
#include <cstdio>
#include <vector>

template <typename T>
__global__ void Set(T* x, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

template <typename T>
__global__ void Axpy(T a, const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

int main() {
  const int n = 4000, blocks = (n + 255) / 256;
  double *x, *y;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&y, n * sizeof(double));
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  Set<<<blocks, 256, 0, one>>>(x, 1.5, n);  // named
  Set<<<blocks, 256, 0, two>>>(y, 1.0, n);
  cudaEventRecord(event, one);
#ifdef WRONG
  Axpy<<<blocks, 256, 0, two>>>(2.0, x, y, n);  // named
  cudaStreamWaitEvent(two, event, 0);
#else
  cudaStreamWaitEvent(two, event, 0);
  Axpy<<<blocks, 256, 0, two>>>(2.0, x, y, n);
#endif
  std::vector<double> result(n);
  cudaMemcpyAsync(result.data(), y, n * sizeof(double), cudaMemcpyDeviceToHost, two);
  cudaStreamSynchronize(two);
  printf("%g\n", result[n / 2]);
  cudaEventDestroy(event);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  cudaFree(x);
  cudaFree(y);
}
