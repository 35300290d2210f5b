// WRONG: the temporary storage of a block reduction is used again without a barrier.
// finds: shared_race
// prints: 128 256
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/block/block_reduce.cuh>

__global__ void Sums(const int* a, const int* b, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ Reduce::TempStorage storage;
  int first = Reduce(storage).Sum(a[threadIdx.x]);
#ifndef WRONG
  __syncthreads();
#endif
  int second = Reduce(storage).Sum(b[threadIdx.x]);
  if (threadIdx.x == 0) {
    out[0] = first;
    out[1] = second;
  }
}

int main() {
  int *a, *b, *out;
  cudaMallocManaged(&a, 512);
  cudaMallocManaged(&b, 512);
  cudaMallocManaged(&out, 8);
  for (int i = 0; i < 128; i++) {
    a[i] = 1;
    b[i] = 2;
  }
  Sums<<<1, 128>>>(a, b, out);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", out[0], out[1]);
  for (int* memory : {a, b, out}) cudaFree(memory);
}
