// Warps 0 and 1 fill two buffers in turn, warps 2 and 3 empty them, with named barriers.
// prints: 256
#include <cuda_runtime.h>

#include <cstdio>

__device__ void Arrive(int id) { asm volatile("bar.arrive %0, 128;" ::"r"(id) : "memory"); }
__device__ void Wait(int id) { asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory"); }
__global__ void Pass(int* out) {
  __shared__ int buffers[2][64];
  int t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int round = 0; round < 4; round++) {
      int b = round % 2;
      if (round >= 2) Wait(3 + b);
      buffers[b][t] = 1;
      Arrive(1 + b);
    }
  } else {
    int sum = 0;
    for (int round = 0; round < 4; round++) {
      int b = round % 2;
      Wait(1 + b);
      sum += buffers[b][63 - t];
      if (round < 2) Arrive(3 + b);
    }
    atomicAdd(out, sum);
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 4);
  *out = 0;
  Pass<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d\n", *out);
  cudaFree(out);
}
