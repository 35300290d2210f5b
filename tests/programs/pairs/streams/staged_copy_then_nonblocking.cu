// Pageable memory is copied with cudaMemcpy() and used in a non-blocking stream.
// WRONG: the copy may return before the bytes are on the device.
// finds: unpromised_order
// prints: 16000
#include <cstdio>
#include <cstdlib>

__global__ void Sum(const int* in, int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(out, in[i]);
}

int main() {
  const int n = 8000;
  int* host = static_cast<int*>(malloc(n * sizeof(int)));
  for (int i = 0; i < n; i++) host[i] = 2;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemsetAsync(out, 0, sizeof(int), stream);
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);  // named
#ifndef WRONG
  cudaStreamSynchronize(cudaStreamLegacy);
#endif
  Sum<<<1, 256, 0, stream>>>(in, out, n);  // named
  int result;
  cudaMemcpyAsync(&result, out, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", result);
  cudaDeviceSynchronize();
  free(host);
  cudaStreamDestroy(stream);
  cudaFree(in);
  cudaFree(out);
}
