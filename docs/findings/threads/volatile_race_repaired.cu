#include <cstdio>

// The second warp waits until the first one has written the number.
__global__ void HandOver(int* out) {
  __shared__ int ready, number;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    number = 42;
    __threadfence_block();
    atomicExch(&ready, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence_block();
    *out = number;
  }
}

int main() {
  int *out, host = 0;
  cudaMalloc(&out, sizeof(int));
  HandOver<<<1, 64>>>(out);
  cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", host);
  cudaFree(out);
}
