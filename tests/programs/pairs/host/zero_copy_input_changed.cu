// The host adds an offset to an input that the device reads through mapped memory.
// WRONG: the host changes the input while the first kernel may still read it.
// finds: early_host_use
// prints: 7 107
#include <cstdio>
#include <numeric>

__global__ void Copy(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

int main() {
  const int n = 3000;
  int *in, *first, *second;
  cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocMapped);
  cudaMalloc(&first, n * sizeof(int));
  cudaMalloc(&second, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  std::iota(in, in + n, 0);
  Copy<<<(n + 63) / 64, 64, 0, stream>>>(in, first, n);  // named
#ifndef WRONG
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
#endif
  for (int i = 0; i < n; i++) {
    in[i] += 100;  // named
  }
  Copy<<<(n + 63) / 64, 64, 0, stream>>>(in, second, n);
  cudaStreamSynchronize(stream);
  int a, b;
  cudaMemcpy(&a, first + 7, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&b, second + 7, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", a, b);
  cudaStreamDestroy(stream);
  cudaFree(first);
  cudaFree(second);
  cudaFreeHost(in);
}
