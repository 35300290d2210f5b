// Warps 0 and 1 produce, warps 2 and 3 consume, with a named barrier.
// WRONG: the consumers use another barrier than the producers.
// finds: shared_race
// prints: 64
#include <cuda_runtime.h>

#include <cstdio>

__device__ void Arrive(int id) { asm volatile("bar.arrive %0, 128;" ::"r"(id) : "memory"); }
__device__ void Wait(int id) { asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory"); }
__global__ void Pass(int* out) {
  __shared__ int words[64];
  int t = threadIdx.x;
  if (t < 64) {
    words[t] = t + 1;  // named
#ifdef WRONG
    Arrive(2);
  } else {
    out[t - 64] = words[127 - t];  // named
    Wait(2);
  }
#else
    Arrive(1);
  } else {
    Wait(1);
    out[t - 64] = words[127 - t];
  }
#endif
}

int main() {
  int* out;
  cudaMallocManaged(&out, 256);
  Pass<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\n", out[0]);
  cudaFree(out);
}
