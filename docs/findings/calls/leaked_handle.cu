#include <cstdio>

__global__ void Nothing() {}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Nothing<<<1, 32, 0, stream>>>();
  printf("%s\n", cudaGetErrorString(cudaStreamSynchronize(stream)));
}
