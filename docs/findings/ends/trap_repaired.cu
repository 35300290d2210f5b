#include <cstdio>

__global__ void CheckedCopy(const int* in, int* out, int n) {
  if (blockDim.x != n) __trap();
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 100 * sizeof(int));
  cudaMalloc(&out, 100 * sizeof(int));
  cudaMemset(in, 0, 100 * sizeof(int));
  CheckedCopy<<<1, 100>>>(in, out, 100);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
