#include <cstdio>

// Adds the even values and the odd ones.
__global__ void SumEvenAndOdd(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int step = 16; step > 1; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x < 2) out[threadIdx.x] = sum;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  SumEvenAndOdd<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
