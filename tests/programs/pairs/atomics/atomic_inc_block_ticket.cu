// The last block that ends writes the result; blocks take tickets from a counter.
// WRONG: the tickets are taken with atomicInc_block().
// finds: global_race
// prints: 130816
#include <cstdio>

__device__ unsigned tickets;

__global__ void Sum(const int* in, int* partial, int* out) {
  __shared__ bool last;
  int sum = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
#ifdef WRONG
    last = atomicInc_block(&tickets, gridDim.x - 1) == gridDim.x - 1;  // named
#else
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
#endif
    __threadfence();
  }
  __syncthreads();
  if (last) {
    int mine = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0;
    int all = __reduce_add_sync(~0u, mine);
    if (threadIdx.x == 0) *out = all;
  }
}

int main() {
  const int blocks = 16;
  int host[blocks * 32], *in, *partial, *out, result;
  for (int i = 0; i < blocks * 32; i++) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int repeat = 0; repeat < 2; repeat++) Sum<<<blocks, 32>>>(in, partial, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
}
