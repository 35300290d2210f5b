// A block counts in shared memory with atomics, then each thread reads the count.
// WRONG: the count is read without a barrier.
// finds: shared_race
// prints: 64
#include <cstdio>

__global__ void CountOdd(const int* in, int* out) {
  __shared__ int odd;
  if (threadIdx.x == 0) odd = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] & 1) atomicAdd_block(&odd, 1);  // named
#ifndef WRONG
  __syncthreads();
#endif
  if (threadIdx.x == blockDim.x - 1) out[blockIdx.x] = odd;  // named
}

int main() {
  int host[512], *in, *out;
  for (int i = 0; i < 512; i++) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  CountOdd<<<4, 128>>>(in, out);
  cudaMemcpy(host, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host[3]);
  cudaFree(in);
  cudaFree(out);
}
