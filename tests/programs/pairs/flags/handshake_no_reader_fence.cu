// A producer block hands numbers to a consumer block through a volatile flag.
// WRONG: the consumer has no fence between the flag and the numbers.
// finds: global_race
// notes: volatile_race
// prints: 3.75
#include <cstdio>

__global__ void ProduceConsume(float* numbers, volatile int* ready, float* sum) {
  if (blockIdx.x == 0) {
    numbers[0] = 1.25f;
    numbers[1] = 2.5f;  // named
    __threadfence();
    *ready = 1;
  } else {
    while (*ready == 0) {
    }
#ifndef WRONG
    __threadfence();
#endif
    float first = numbers[0];
    float second = numbers[1];  // named
    *sum = first + second;
  }
}

int main() {
  float *numbers, *sum, result;
  int* ready;
  cudaMalloc(&numbers, 2 * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMalloc(&ready, sizeof(int));
  cudaMemset(ready, 0, sizeof(int));
  ProduceConsume<<<2, 1>>>(numbers, ready, sum);
  cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  cudaFree(numbers);
  cudaFree(sum);
  cudaFree(ready);
}
