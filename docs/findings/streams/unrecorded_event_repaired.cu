#include <cstdio>

__device__ int steps;
__global__ void Step() { atomicAdd(&steps, 1); }

int main() {
  cudaStream_t stream;
  cudaEvent_t ready;
  cudaStreamCreate(&stream);
  cudaEventCreate(&ready);
  cudaEventRecord(ready);
  cudaStreamWaitEvent(stream, ready);
  Step<<<1, 32, 0, stream>>>();
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
  cudaEventDestroy(ready);
  cudaStreamDestroy(stream);
}
