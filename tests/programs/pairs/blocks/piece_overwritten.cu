// Blocks take pieces of work from a counter.
// WRONG: thread 0 overwrites the number of the piece while others may still read it.
// finds: shared_race
// notes: barrier_not_reached
// prints: 20
#include <cuda_runtime.h>

#include <cstdio>

__device__ int next_piece;
__global__ void Work(int* done, int pieces) {
  __shared__ int piece;
  while (true) {
    if (threadIdx.x == 0) piece = atomicAdd(&next_piece, 1);  // named
    __syncthreads();
    int mine = piece;  // named
#ifndef WRONG
    __syncthreads();
#endif
    if (mine >= pieces) return;
    if (threadIdx.x == 40) atomicAdd(&done[mine], 1);
  }
}

int main() {
  int* done;
  cudaMallocManaged(&done, 80);
  for (int i = 0; i < 20; i++) done[i] = 0;
  Work<<<3, 64>>>(done, 20);
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < 20; i++) sum += done[i];
  std::printf("%d\n", sum);
  cudaFree(done);
}
