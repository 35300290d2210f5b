// Each round makes a stream and destroys it.
// WRONG: a copy uses the stream after it was destroyed.
// finds: invalid_handle
// prints: 6
#include <cstdio>

__global__ void Add(int* x, int value) { x[threadIdx.x] += value; }

int main() {
  int* x;
  int* result;
  cudaMalloc(&x, 256 * sizeof(int));
  cudaMallocHost(&result, 256 * sizeof(int));
  cudaMemset(x, 0, 256 * sizeof(int));
  for (int round = 1; round <= 3; round++) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    Add<<<1, 256, 0, stream>>>(x, round);
#ifdef WRONG
    cudaStreamDestroy(stream);                                                      // named
    cudaMemcpyAsync(result, x, 256 * sizeof(int), cudaMemcpyDeviceToHost, stream);  // named
    cudaDeviceSynchronize();
#else
    cudaMemcpyAsync(result, x, 256 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamDestroy(stream);
    cudaDeviceSynchronize();
#endif
  }
  printf("%d\n", result[100]);
  cudaFree(x);
  cudaFreeHost(result);
}
