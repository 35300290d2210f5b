// cuda::atomic_thread_fence() orders data with a relaxed flag.
// WRONG: the fence of the writer has the scope of a block.
// finds: global_race
// prints: 14
#include <cstdio>
#include <cuda/atomic>

#ifdef WRONG
constexpr auto kScope = cuda::thread_scope_block;
#else
constexpr auto kScope = cuda::thread_scope_device;
#endif

__device__ float result[8];
__device__ unsigned state;

__global__ void Pass(float* out) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(state);
  if (blockIdx.x == 0) {
    for (int i = 0; i < 8; i++) {
      result[i] = 0.5f * i;  // named
    }
    cuda::atomic_thread_fence(cuda::memory_order_release, kScope);
    flag.store(1, cuda::memory_order_relaxed);
  } else {
    while (flag.load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    float sum = 0;
    for (int i = 0; i < 8; i++) {
      sum += result[i];  // named
    }
    *out = sum;
  }
}

int main() {
  float *out, host;
  cudaMalloc(&out, sizeof(float));
  Pass<<<2, 1>>>(out);
  cudaMemcpy(&host, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host);
  cudaFree(out);
}
