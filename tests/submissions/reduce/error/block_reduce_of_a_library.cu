// score: 0
// says: <cub/block/block_reduce.cuh> is not allowed here
// A macro makes the name of the library's sum of a block.
#include <cstdio>

#define LIBRARY cub
#define HEADER(name) <name/block/block_reduce.cuh>
#if __has_include(HEADER(LIBRARY))
#include HEADER(LIBRARY)  // expect: not allowed
#endif

#include "reduce.h"

__global__ void reduce_shuffles(const float* __restrict__ in, float* out, int n) {
  using Block = cub::BlockReduce<float, 1024>;
  __shared__ typename Block::TempStorage room;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += __ldg(&in[i]);
  }
  sum = Block(room).Sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

void reduce_sum(const float* in, float* out, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  int blocks = (n + 1023) / 1024;
  reduce_shuffles<<<blocks < 528 ? blocks : 528, 1024>>>(in, out, n);
}
