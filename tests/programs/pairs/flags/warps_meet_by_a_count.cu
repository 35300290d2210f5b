// The warps of a block wait for each other by a count in shared memory, and exchange numbers by
// atomics.
// WRONG: no fence on either side of the count.
// finds: shared_race
// prints: 6144
#include <cuda_runtime.h>

#include <cstdio>

__global__ void Turn(int* out) {
  __shared__ int numbers[128];
  __shared__ int arrived;
  const int t = threadIdx.x;
  if (t == 0) arrived = 0;
  __syncthreads();
  atomicExch(&numbers[t], t);  // named
  __syncwarp();
  if (t % 32 == 0) {
#ifndef WRONG
    __threadfence_block();
#endif
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < 4) {
    }
#ifndef WRONG
    __threadfence_block();
#endif
  }
  __syncwarp();
  const int other = atomicOr(&numbers[127 - t], 0);  // named
  if (t >= 32 && t < 96) atomicAdd(out, other);
  if (t == 0) atomicAdd(out, 2080);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  *out = 0;
  Turn<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(out);
}
