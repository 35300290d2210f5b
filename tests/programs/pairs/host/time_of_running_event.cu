// A kernel in the default stream is timed with two events.
// WRONG: the program asks for the time, and does not wait for the second event.
// finds: early_time
// prints: timed
#include <cstdio>

__global__ void Halve(float* values) { values[threadIdx.x] *= 0.5f; }

int main() {
  float* values;
  cudaMalloc(&values, 256 * sizeof(float));
  cudaMemset(values, 0, 256 * sizeof(float));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  Halve<<<1, 256>>>(values);
  cudaEventRecord(stop);  // named
#ifndef WRONG
  cudaEventSynchronize(stop);
#endif
  float ms = -1;
  cudaEventElapsedTime(&ms, start, stop);  // named
  printf("%s\n", ms >= 0 ? "timed" : "not timed");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFree(values);
}
