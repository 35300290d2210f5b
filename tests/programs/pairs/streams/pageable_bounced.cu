// A vector of pageable memory carries a result from one stream to another.
// WRONG: cudaMemcpyAsync() to pageable memory may return before the copy is done.
// finds: unpromised_order
// prints: -6141
#include <cstdio>
#include <vector>

__global__ void Ramp(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 3 * i;
}

__global__ void Negate(int* data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = -data[i];
}

int main() {
  const int n = 2048;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  std::vector<int> bounce(n), result(n);
  Ramp<<<n / 256, 256, 0, s>>>(a);
  cudaMemcpyAsync(bounce.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost, s);  // named
#ifndef WRONG
  cudaStreamSynchronize(s);
#endif
  cudaMemcpyAsync(b, bounce.data(), n * sizeof(int), cudaMemcpyHostToDevice, t);  // named
  Negate<<<n / 256, 256, 0, t>>>(b);
  cudaMemcpyAsync(result.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost, t);
  cudaStreamSynchronize(t);
  printf("%d\n", result[n - 1]);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(a);
  cudaFree(b);
}
