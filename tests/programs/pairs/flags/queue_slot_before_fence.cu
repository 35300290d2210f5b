// Producers reserve a slot of a queue, fill it and mark it full; consumers empty the slots.
// WRONG: the consumer marks are read, but the slot is marked full before it is filled.
// finds: global_race
// prints: right
#include <cstdio>

struct Slot {
  int full;
  int value;
};

__global__ void Transfer(Slot* slots, int* out, int n) {
  int i = blockIdx.x / 2;
  if (i >= n) return;
  if (blockIdx.x % 2 == 0) {
#ifdef WRONG
    __threadfence();
    atomicExch(&slots[i].full, 1);
    slots[i].value = i * 3;  // named
#else
    slots[i].value = i * 3;
    __threadfence();
    atomicExch(&slots[i].full, 1);
#endif
  } else {
    while (atomicCAS(&slots[i].full, 1, 0) == 0) {
    }
    __threadfence();
    out[i] = slots[i].value;  // named
  }
}

int main() {
  const int n = 6;
  Slot* slots;
  int *out, host[n];
  cudaMalloc(&slots, n * sizeof(Slot));
  cudaMalloc(&out, sizeof(host));
  cudaMemset(slots, 0, n * sizeof(Slot));
  Transfer<<<2 * n, 1>>>(slots, out, n);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%s\n", host[5] == 15 ? "right" : "wrong");
  cudaFree(slots);
  cudaFree(out);
}
