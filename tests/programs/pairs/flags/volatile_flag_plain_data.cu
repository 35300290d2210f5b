// The first block computes a table that the others use.
// WRONG: the flag is volatile, but nothing orders it with the table.
// finds: global_race
// notes: volatile_race
// prints: 3969
#include <cstdio>

__global__ void UseTable(int* table, volatile int* done, int* out) {
  if (blockIdx.x == 0) {
    table[threadIdx.x] = threadIdx.x * threadIdx.x;  // named
#ifndef WRONG
    __threadfence();
#endif
    __syncthreads();
    if (threadIdx.x == 0) *done = 1;
  } else {
    if (threadIdx.x == 0) {
      while (!*done) {
      }
#ifndef WRONG
      __threadfence();
#endif
    }
    __syncthreads();
    out[(blockIdx.x - 1) * blockDim.x + threadIdx.x] =
        table[blockDim.x - 1 - threadIdx.x];  // named
  }
}

int main() {
  int *table, *done, *out;
  cudaMalloc(&table, 64 * sizeof(int));
  cudaMalloc(&done, sizeof(int));
  cudaMalloc(&out, 3 * 64 * sizeof(int));
  cudaMemset(done, 0, sizeof(int));
  UseTable<<<4, 64>>>(table, done, out);
  int host[3 * 64];
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[191 - 63]);
  cudaFree(table);
  cudaFree(done);
  cudaFree(out);
}
