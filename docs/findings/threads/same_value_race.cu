#include <cstdio>

// Sets *found if one of the values is negative.
__global__ void FindNegative(const int* values, int* found) {
  if (values[threadIdx.x] < 0) *found = 1;
}

int main() {
  int *values, *found, host = 0;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMemset(values, 0xff, 64 * sizeof(int));  // each is -1
  cudaMemset(found, 0, sizeof(int));
  FindNegative<<<1, 64>>>(values, found);
  cudaMemcpy(&host, found, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  cudaFree(values);
  cudaFree(found);
}
