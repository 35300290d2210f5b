#include <cstdio>

__global__ void DoNothing() {}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  DoNothing<<<1, 32, 0, stream>>>();
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
  cudaStreamDestroy(stream);
}
