#include <cstdio>

__global__ void Fill(int* values) { values[threadIdx.x] = threadIdx.x; }
__global__ void Negate(int* values) { values[threadIdx.x] *= -1; }

int main() {
  int *values, last = 0;
  cudaStream_t first, second;
  cudaEvent_t filled;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&filled);
  cudaMalloc(&values, 256 * sizeof(int));
  Fill<<<1, 256, 0, first>>>(values);
  cudaEventRecord(filled, first);
  cudaStreamWaitEvent(second, filled);
  Negate<<<1, 256, 0, second>>>(values);
  cudaDeviceSynchronize();
  cudaMemcpy(&last, values + 255, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaEventDestroy(filled);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(values);
}
