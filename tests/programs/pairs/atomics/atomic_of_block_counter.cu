// A cuda::atomic counts the elements that pass a test; its value is the place of the next one.
// WRONG: the atomic has the scope of a block, but all blocks use it.
// finds: global_race
// prints: 342 kept
#include <cstdio>
#include <cuda/atomic>
#include <new>

#ifdef WRONG
using Counter = cuda::atomic<unsigned, cuda::thread_scope_block>;
#else
using Counter = cuda::atomic<unsigned, cuda::thread_scope_device>;
#endif

__global__ void Filter(const int* in, int n, int* out, Counter* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) {
    unsigned place = count->fetch_add(1u, cuda::std::memory_order_relaxed);  // named
    out[place] = in[i];
  }
}

int main() {
  const int n = 1024;
  int host[n];
  for (int i = 0; i < n; i++) host[i] = i;
  int *in, *out;
  Counter* count;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&count, sizeof(Counter));
  cudaMemset(count, 0, sizeof(Counter));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  Filter<<<n / 128, 128>>>(in, n, out, count);
  unsigned kept;
  cudaMemcpy(&kept, count, sizeof(kept), cudaMemcpyDeviceToHost);
  printf("%u kept\n", kept);
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
}
