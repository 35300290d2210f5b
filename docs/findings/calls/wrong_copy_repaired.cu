#include <cstdio>

int main() {
  int host[64] = {}, *device;
  cudaMalloc(&device, sizeof host);
  const cudaError_t error = cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  printf("%s\n", cudaGetErrorString(error));
  cudaFree(device);
}
