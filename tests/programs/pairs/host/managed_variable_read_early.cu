// A __managed__ variable counts the primes.
// WRONG: the host prints the count before the kernel has ended.
// finds: early_host_use
// prints: 168 primes
#include <cstdio>
#include <cstdlib>

__managed__ int primes = 0;

__global__ void Count(int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (i >= limit) return;
  for (int d = 2; d * d <= i; d++) {
    if (i % d == 0) return;
  }
  atomicAdd(&primes, 1);
}

int main() {
  const int limit = 1000;
  Count<<<(limit + 127) / 128, 128>>>(limit);  // named
#ifndef WRONG
  if (cudaDeviceSynchronize() != cudaSuccess) std::abort();
#endif
  printf("%d primes\n", primes);  // named
  cudaDeviceSynchronize();
}
