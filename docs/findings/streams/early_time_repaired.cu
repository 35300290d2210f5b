#include <cstdio>

__global__ void Work() {}

int main() {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  Work<<<1, 32>>>();
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, start, stop);
  printf("%s\n", milliseconds >= 0 ? "timed" : "not timed");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
