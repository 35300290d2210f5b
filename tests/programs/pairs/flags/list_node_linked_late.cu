// Threads push nodes on a list; each then walks the list.
// WRONG: the new head is visible before the next of its node is written.
// finds: global_race
// notes: volatile_race
// prints: 32
#include <cuda_runtime.h>

#include <cstdio>

struct Node {
  int value;
  int next;
};
__device__ int head = -1;
__device__ int walked;
__global__ void Push(Node* nodes) {
  if (threadIdx.x != 0) return;
  int me = blockIdx.x;
  nodes[me].value = 1;
#ifdef WRONG
  nodes[me].next = atomicExch(&head, me);  // named
#else
  int old = atomicAdd(&head, 0);
  while (true) {
    nodes[me].next = old;
    __threadfence();
    int seen = atomicCAS(&head, old, me);
    if (seen == old) break;
    old = seen;
  }
#endif
  int count = 0, n = *static_cast<volatile int*>(&head);
  __threadfence();
  for (; n >= 0; n = nodes[n].next) count++;  // named
  atomicMax(&walked, count);
}

int main() {
  Node* nodes;
  cudaMalloc(&nodes, 32 * sizeof(Node));
  cudaMemset(nodes, 0xff, 32 * sizeof(Node));
  Push<<<32, 32>>>(nodes);
  int host;
  cudaMemcpyFromSymbol(&host, walked, sizeof host);
  std::printf("%d\n", host);
  cudaFree(nodes);
}
