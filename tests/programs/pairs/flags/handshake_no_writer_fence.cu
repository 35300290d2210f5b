// Block 0 writes a message and sets a flag; the other blocks wait for the flag.
// WRONG: the writer has no fence between the message and the flag.
// finds: global_race
// prints: 100 131
#include <cstdio>

__device__ int message[32];
__device__ int flag;

__global__ void Broadcast(int* out) {
  if (blockIdx.x == 0) {
    message[threadIdx.x] = 100 + threadIdx.x;  // named
    __syncthreads();
    if (threadIdx.x == 0) {
#ifndef WRONG
      __threadfence();
#endif
      atomicExch(&flag, 1);
    }
    return;
  }
  if (threadIdx.x == 0) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  out[(blockIdx.x - 1) * 32 + threadIdx.x] = message[threadIdx.x];  // named
}

int main() {
  int *out, host[96];
  cudaMalloc(&out, sizeof(host));
  Broadcast<<<4, 32>>>(out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[95]);
  cudaFree(out);
}
