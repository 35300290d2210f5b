// Blocks insert into a list while it has room.
// WRONG: the length, which others change by atomics, is read by a plain load.
// finds: global_race
// prints: 0 bad
#include <cstdio>

__global__ void Insert(int* length, int* list, int capacity) {
  int value = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef WRONG
  if (*length >= capacity) return;  // named
#else
  if (atomicAdd(length, 0) >= capacity) return;
#endif
  int place = atomicAdd(length, 1);  // named
  if (place < capacity) list[place] = value;
}

int main() {
  const int capacity = 100;
  int *length, *list, host[capacity];
  cudaMalloc(&length, sizeof(int));
  cudaMalloc(&list, sizeof(host));
  cudaMemset(length, 0, sizeof(int));
  Insert<<<6, 64>>>(length, list, capacity);
  cudaMemcpy(host, list, sizeof(host), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int value : host) bad += value < 0 || value >= 6 * 64;
  printf("%d bad\n", bad);
  cudaFree(length);
  cudaFree(list);
}
