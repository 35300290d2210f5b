// A vector is registered, so that its copy is asynchronous.
// WRONG: the host reads the vector before the copy is done.
// finds: early_host_use
// prints: 2080768
#include <cstdio>
#include <vector>

__global__ void Index(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }

int main() {
  const int n = 32768;
  std::vector<int> values(n, -1);
  cudaHostRegister(values.data(), n * sizeof(int), cudaHostRegisterDefault);
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Index<<<n / 256, 256, 0, stream>>>(device);
  cudaMemcpyAsync(values.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);  // named
#ifndef WRONG
  cudaStreamSynchronize(stream);
#endif
  long sum = 0;
  for (int i = 0; i < n; i++) {
    sum += values[i];  // named
  }
  printf("%ld\n", sum);
  cudaStreamSynchronize(stream);
  cudaHostUnregister(values.data());
  cudaStreamDestroy(stream);
  cudaFree(device);
}
