#include <cstdio>

// Adds 16 values, with 16 threads.
__global__ void SumSixteen(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int step = 8; step > 0; step /= 2) sum += __shfl_down_sync(0x0000ffff, sum, step);
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 16 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 16 * sizeof(int));
  SumSixteen<<<1, 16>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
