#include <cstdio>

__device__ int total;
__global__ void AddAll() { atomicAdd(&total, threadIdx.x); }

int main() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  AddAll<<<1, 32, 0, stream>>>();
  printf("started\n");
  cudaStreamDestroy(stream);
}
