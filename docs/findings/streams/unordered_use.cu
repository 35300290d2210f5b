#include <cstdio>

__global__ void Fill(int* values) { values[threadIdx.x] = threadIdx.x; }
__global__ void Negate(int* values) { values[threadIdx.x] *= -1; }

int main() {
  int *values, last = 0;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMalloc(&values, 256 * sizeof(int));
  Fill<<<1, 256, 0, first>>>(values);
  Negate<<<1, 256, 0, second>>>(values);
  cudaDeviceSynchronize();
  cudaMemcpy(&last, values + 255, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(values);
}
