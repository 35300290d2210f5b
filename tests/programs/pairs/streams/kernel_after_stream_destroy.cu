// WRONG: a kernel is launched in a stream that was destroyed.
// finds: invalid_handle
// notes: unchecked_launch
// prints: 1
#include <cuda_runtime.h>

#include <cstdio>

__global__ void One(int* a) { *a = 1; }

int main() {
  int *a, host = 0;
  cudaMalloc(&a, sizeof(int));
  cudaMemset(a, 0, sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
#ifdef WRONG
  cudaStreamDestroy(s);
  One<<<1, 1, 0, s>>>(a);  // named
#else
  One<<<1, 1, 0, s>>>(a);
  cudaStreamDestroy(s);
#endif
  cudaMemcpy(&host, a, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  cudaFree(a);
}
