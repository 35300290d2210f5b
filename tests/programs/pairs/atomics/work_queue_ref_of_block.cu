// Blocks take items from a queue by a counter.
// WRONG: the counter is a cuda::atomic_ref with the scope of a block.
// finds: global_race
// prints: 2560
#include <cstdio>
#include <cuda/atomic>

__global__ void Take(int* next, int items, int* owner) {
#ifdef WRONG
  cuda::atomic_ref<int, cuda::thread_scope_block> counter(*next);
#else
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(*next);
#endif
  __shared__ int item;
  while (true) {
    if (threadIdx.x == 0) item = counter.fetch_add(1, cuda::memory_order_relaxed);  // named
    __syncthreads();
    int mine = item;
    __syncthreads();
    if (mine >= items) break;
    owner[mine * blockDim.x + threadIdx.x] = blockIdx.x;
  }
}

int main() {
  const int items = 40;
  int *next, *owner;
  cudaMalloc(&next, sizeof(int));
  cudaMalloc(&owner, items * 64 * sizeof(int));
  cudaMemset(next, 0, sizeof(int));
  cudaMemset(owner, 0xff, items * 64 * sizeof(int));
  Take<<<8, 64>>>(next, items, owner);
  static int host[items * 64];
  cudaMemcpy(host, owner, sizeof(host), cudaMemcpyDeviceToHost);
  int taken = 0;
  for (int block : host) taken += block >= 0;
  printf("%d\n", taken);
  cudaFree(next);
  cudaFree(owner);
}
