#include <cstdio>

__device__ int device_count;
int host_count;

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaHostRegister(&host_count, sizeof(int), cudaHostRegisterDefault);
  cudaMemcpyFromSymbolAsync(&host_count, device_count, sizeof(int), 0, cudaMemcpyDeviceToHost,
                            stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", host_count);
  cudaStreamDestroy(stream);
  cudaHostUnregister(&host_count);
}
