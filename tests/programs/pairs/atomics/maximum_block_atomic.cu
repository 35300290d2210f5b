// The largest value is kept with atomicMax().
// WRONG: atomicMax_block() on a value that all blocks change.
// finds: global_race
// prints: 315793401
#include <cstdio>
#include <cstdlib>

__device__ unsigned largest;

__global__ void Largest(unsigned seed) {
  unsigned x = seed + blockIdx.x * blockDim.x + threadIdx.x;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
#ifdef WRONG
  atomicMax_block(&largest, x);  // named
#else
  atomicMax(&largest, x);
#endif
}

int main() {
  Largest<<<12, 96>>>(17);
  unsigned result;
  if (cudaMemcpyFromSymbol(&result, largest, sizeof(result)) != cudaSuccess) std::abort();
  printf("%u\n", result);
}
