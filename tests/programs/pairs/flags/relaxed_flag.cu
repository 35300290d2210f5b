// A tile is handed from one block to the next by a cuda::atomic flag.
// WRONG: the store and the loads of the flag are relaxed.
// finds: global_race
// prints: 63
#include <cstdio>
#include <cuda/atomic>

#ifdef WRONG
constexpr auto kStore = cuda::memory_order_relaxed;
constexpr auto kLoad = cuda::memory_order_relaxed;
#else
constexpr auto kStore = cuda::memory_order_release;
constexpr auto kLoad = cuda::memory_order_acquire;
#endif

using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void Chain(int* tile, Flag* flags) {
  int block = blockIdx.x;
  if (threadIdx.x == 0 && block > 0) {
    while (flags[block - 1].load(kLoad) == 0) {
    }
  }
  __syncthreads();
  tile[threadIdx.x] = tile[threadIdx.x] * 2 + 1;  // named
  __syncthreads();
  if (threadIdx.x == 0) flags[block].store(1, kStore);
}

int main() {
  const int blocks = 6;
  int* tile;
  Flag* flags;
  cudaMalloc(&tile, 64 * sizeof(int));
  cudaMalloc(&flags, blocks * sizeof(Flag));
  cudaMemset(tile, 0, 64 * sizeof(int));
  cudaMemset(flags, 0, blocks * sizeof(Flag));
  Chain<<<blocks, 64>>>(tile, flags);
  int host[64];
  cudaMemcpy(host, tile, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[63]);
  cudaFree(tile);
  cudaFree(flags);
}
