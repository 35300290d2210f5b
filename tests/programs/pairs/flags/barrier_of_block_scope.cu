// All blocks meet at a cuda::barrier in global memory before they read their neighbour's value.
// WRONG: the barrier has the scope of a block.
// finds: global_race
// prints: 10 0
#include <cstdio>
#include <cuda/barrier>

#ifdef WRONG
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#else
using Barrier = cuda::barrier<cuda::thread_scope_device>;
#endif

__global__ void Init(Barrier* barrier, int count) { init(barrier, count); }

__global__ void Rotate(Barrier* barrier, int* values, int* out) {
  if (threadIdx.x == 0) {
    values[blockIdx.x] = 10 * blockIdx.x;  // named
    barrier->arrive_and_wait();
    out[blockIdx.x] = values[(blockIdx.x + 1) % gridDim.x];  // named
  }
}

int main() {
  const int blocks = 4;
  Barrier* barrier;
  int *values, *out, host[blocks];
  cudaMalloc(&barrier, sizeof(Barrier));
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  Init<<<1, 1>>>(barrier, blocks);
  Rotate<<<blocks, 32>>>(barrier, values, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[blocks - 1]);
  cudaFree(barrier);
  cudaFree(values);
  cudaFree(out);
}
