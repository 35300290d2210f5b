// A reader of a sequence lock reads again if the number has changed.
// WRONG: the writer has no fence between the data and the number.
// finds: global_race
// prints: 21 21 21
#include <cstdio>

struct Shared {
  unsigned sequence;
  int x, y;
};

__global__ void ReadWrite(Shared* shared, int* out) {
  if (blockIdx.x == 0) {
    shared->x = 21;
    shared->y = 42;  // named
#ifndef WRONG
    __threadfence();
#endif
    atomicAdd(&shared->sequence, 1);
  } else {
    while (atomicAdd(&shared->sequence, 0) == 0) {
    }
    __threadfence();
    int x = shared->x;
    int y = shared->y;  // named
    out[blockIdx.x - 1] = y - x;
  }
}

int main() {
  Shared* shared;
  int *out, host[3];
  cudaMalloc(&shared, sizeof(Shared));
  cudaMalloc(&out, sizeof(host));
  cudaMemset(shared, 0, sizeof(Shared));
  ReadWrite<<<4, 1>>>(shared, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[1], host[2]);
  cudaFree(shared);
  cudaFree(out);
}
