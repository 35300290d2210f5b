// The same hand-over as with a flag of the device's scope, by release and acquire.
// WRONG: the flag has the scope of a block.
// finds: global_race
// prints: 1.5 0
#include <cstdio>
#include <cuda/atomic>

#ifdef WRONG
constexpr cuda::thread_scope kScope = cuda::thread_scope_block;
#else
constexpr cuda::thread_scope kScope = cuda::thread_scope_device;
#endif

__global__ void Exchange(double* boxes, int* full, double* out) {
  cuda::atomic_ref<int, kScope> mine(full[blockIdx.x]);
  const int other = (blockIdx.x + 1) % gridDim.x;
  cuda::atomic_ref<int, kScope> others(full[other]);
  boxes[blockIdx.x] = 1.5 * blockIdx.x;  // named
  mine.store(1, cuda::memory_order_release);
  while (others.load(cuda::memory_order_acquire) != 1) {
  }
  out[blockIdx.x] = boxes[other];  // named
}

int main() {
  const int blocks = 5;
  double *boxes, *out, host[blocks];
  int* full;
  cudaMalloc(&boxes, blocks * sizeof(double));
  cudaMalloc(&out, blocks * sizeof(double));
  cudaMalloc(&full, blocks * sizeof(int));
  cudaMemset(full, 0, blocks * sizeof(int));
  Exchange<<<blocks, 1>>>(boxes, full, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[4]);
  cudaFree(boxes);
  cudaFree(out);
  cudaFree(full);
}
