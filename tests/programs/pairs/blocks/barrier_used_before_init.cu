// WRONG: other threads use the barrier before they know that it is initialised.
// finds: shared_race
// prints: 63
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>
#include <utility>

__global__ void Reverse(int* out) {
  __shared__ int words[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);  // named
#ifndef WRONG
  __syncthreads();
#endif
  words[t] = t;
  barrier.arrive_and_wait();  // named
  out[t] = words[63 - t];
}

int main() {
  int *out, host[64];
  cudaMalloc(&out, 256);
  Reverse<<<1, 64>>>(out);
  cudaMemcpy(host, out, 256, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(out);
}
