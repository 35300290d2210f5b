// Two kernels in the default stream are timed with three events.
// WRONG: the program asks for both times, and waits for no event. The second question is another
// one, so it does not repeat the first.
// finds: early_time
// prints: timed
#include <cstdio>

__global__ void Halve(float* values) { values[threadIdx.x] *= 0.5f; }

int main() {
  float* values;
  cudaMalloc(&values, 256 * sizeof(float));
  cudaMemset(values, 0, 256 * sizeof(float));
  cudaEvent_t start, middle, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&middle);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  Halve<<<1, 256>>>(values);
  cudaEventRecord(middle);
  Halve<<<1, 256>>>(values);
  cudaEventRecord(stop);  // named
#ifndef WRONG
  cudaEventSynchronize(stop);
#endif
  float all = -1, half = -1;
  cudaEventElapsedTime(&all, start, stop);  // named
  cudaEventElapsedTime(&half, middle, stop);
  printf("%s\n", all >= 0 && half >= 0 ? "timed" : "not timed");
  cudaEventDestroy(start);
  cudaEventDestroy(middle);
  cudaEventDestroy(stop);
  cudaFree(values);
}
