// Each block adds its best value to a shared record under a lock.
// WRONG: the lock is released by a plain store.
// finds: global_race
// prints: best 18
#include <cstdio>

struct Record {
  int lock;
  float best;
  int block;
};

__global__ void Update(Record* record) {
  if (threadIdx.x != 0) return;
  float mine = (blockIdx.x * 37) % 19;
  while (atomicCAS(&record->lock, 0, 1) == 1) {  // named
  }
  __threadfence();
  if (mine > record->best) {
    record->best = mine;
    record->block = blockIdx.x;
  }
  __threadfence();
#ifdef WRONG
  record->lock = 0;  // named
#else
  atomicExch(&record->lock, 0);
#endif
}

int main() {
  Record *record, host{0, -1, -1};
  cudaMalloc(&record, sizeof(Record));
  cudaMemcpy(record, &host, sizeof(host), cudaMemcpyHostToDevice);
  Update<<<16, 32>>>(record);
  cudaMemcpy(&host, record, sizeof(host), cudaMemcpyDeviceToHost);
  printf("best %g\n", host.best);
  cudaFree(record);
}
