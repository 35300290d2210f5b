// A producer writes a block of values and raises a flag.
// WRONG: the fence comes after the flag instead of before it.
// finds: global_race
// prints: 304 5
#include <cstdio>

__global__ void Work(int* values, int* flag, int* out, int n) {
  if (blockIdx.x == 0) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      values[i] = i + 5;  // named
    }
#ifdef WRONG
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
    __threadfence();
#else
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
#endif
  } else {
    if (threadIdx.x == 0) {
      while (atomicCAS(flag, 1, 1) != 1) {
      }
      __threadfence();
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      out[i] = values[n - 1 - i];  // named
    }
  }
}

int main() {
  const int n = 300;
  int *values, *flag, *out, host[n];
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  Work<<<2, 64>>>(values, flag, out, n);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[n - 1]);
  cudaFree(values);
  cudaFree(out);
  cudaFree(flag);
}
