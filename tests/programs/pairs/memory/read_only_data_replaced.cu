// Each thread adds the number of its neighbour to its own, in two arrays that take turns.
// WRONG: both arrays are one, and the kernel says that its input is read-only.
// finds: stale_read
// prints: 3
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Add(const int* __restrict__ in, int* out) {
  const int sum = in[threadIdx.x] + in[threadIdx.x ^ 1];  // named
  __syncwarp();
  out[threadIdx.x] = sum;
}

int main() {
  int numbers[2] = {1, 2}, *in, *out;
  cudaMalloc(&in, 8);
  cudaMalloc(&out, 8);
  cudaMemcpy(in, numbers, 8, cudaMemcpyHostToDevice);
#ifdef WRONG
  Add<<<1, 2>>>(in, in);
  cudaMemcpy(numbers, in, 8, cudaMemcpyDeviceToHost);
#else
  Add<<<1, 2>>>(in, out);
  cudaMemcpy(numbers, out, 8, cudaMemcpyDeviceToHost);
#endif
  std::printf("%d\n", numbers[1]);
  cudaFree(in);
  cudaFree(out);
}
