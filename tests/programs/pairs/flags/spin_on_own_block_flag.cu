// Within one block, a producer warp hands a value to the other warps through shared memory.
// WRONG: the producer has no fence between the value and the flag.
// finds: shared_race
// notes: volatile_race
// prints: 16843009 16843009
#include <cstdio>

__global__ void HandOver(const int* in, int* out) {
  __shared__ int value;
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  int warp = threadIdx.x / 32;
  if (warp == 0) {
    if (threadIdx.x == 0) {
      value = in[0];  // named
#ifndef WRONG
      __threadfence_block();
#endif
      ready = 1;
    }
  } else {
    while (!ready) {
    }
#ifndef WRONG
    __threadfence_block();
#endif
    out[threadIdx.x] = value;  // named
  }
}

int main() {
  int *in, *out, host[96];
  cudaMalloc(&in, sizeof(int));
  cudaMalloc(&out, sizeof(host));
  cudaMemset(in, 1, sizeof(int));
  cudaMemset(out, 0, sizeof(host));
  HandOver<<<1, 96>>>(in, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[40], host[95]);
  cudaFree(in);
  cudaFree(out);
}
