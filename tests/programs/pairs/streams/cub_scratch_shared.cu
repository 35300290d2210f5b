// WRONG: two reductions in two streams use the same temporary storage.
// finds: unordered_use
// prints: 5000 10000
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/device/device_reduce.cuh>

__global__ void Fill(int* a, int v) { a[blockIdx.x * blockDim.x + threadIdx.x] = v; }

int main() {
  const int n = 5000;
  int *a, *b, *sums, host[2];
  cudaMalloc(&a, 5120 * sizeof(int));
  cudaMalloc(&b, 5120 * sizeof(int));
  cudaMalloc(&sums, 2 * sizeof(int));
  Fill<<<20, 256>>>(a, 1);
  Fill<<<20, 256>>>(b, 2);
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, a, sums, n);
  void *first, *second;
  cudaMalloc(&first, bytes);
  cudaMalloc(&second, bytes);
  cudaDeviceSynchronize();
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cub::DeviceReduce::Sum(first, bytes, a, sums, n, s);  // named
#ifdef WRONG
  cub::DeviceReduce::Sum(first, bytes, b, sums + 1, n, t);  // named
#else
  cub::DeviceReduce::Sum(second, bytes, b, sums + 1, n, t);
#endif
  cudaDeviceSynchronize();
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  for (void* memory : {first, second}) cudaFree(memory);
  for (int* memory : {a, b, sums}) cudaFree(memory);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
}
