// The first block that comes builds a table; the others skip the lock when it is there.
// WRONG: the first check reads the flag with a plain load.
// finds: global_race
// prints: 11 33
#include <cstdio>

__device__ int lock;
__device__ int built;
__device__ int table[16];

__device__ void Build() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  if (atomicAdd(&built, 0) == 0) {
    for (int i = 0; i < 16; i++) table[i] = i * 11;
    __threadfence();
    atomicExch(&built, 1);  // named
  }
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void Use(int* out) {
#ifdef WRONG
  if (built == 0) Build();  // named
#else
  if (atomicAdd(&built, 0) == 0) Build();
#endif
  __threadfence();
  out[blockIdx.x] = table[blockIdx.x % 16];
}

int main() {
  int *out, host[20];
  cudaMalloc(&out, sizeof(host));
  Use<<<20, 1>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[1], host[19]);
  cudaFree(out);
}
