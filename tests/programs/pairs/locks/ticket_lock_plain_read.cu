// A ticket lock serves the blocks in order.
// WRONG: the waiting blocks read the number that is served with a plain load.
// finds: global_race
// prints: 100
#include <cstdio>

struct TicketLock {
  unsigned next, serving;
};

__global__ void Deposit(TicketLock* lock, int* account) {
  if (threadIdx.x != 0) return;
  unsigned ticket = atomicAdd(&lock->next, 1);
#ifdef WRONG
  while (lock->serving < ticket) __threadfence();  // named
#else
  while (atomicAdd(&lock->serving, 0) < ticket) {
  }
#endif
  __threadfence();
  *account += 10;
  __threadfence();
  atomicAdd(&lock->serving, 1);  // named
}

int main() {
  TicketLock* lock;
  int *account, result;
  cudaMalloc(&lock, sizeof(*lock));
  cudaMalloc(&account, sizeof(int));
  cudaMemset(lock, 0, sizeof(*lock));
  cudaMemset(account, 0, sizeof(int));
  Deposit<<<10, 64>>>(lock, account);
  cudaMemcpy(&result, account, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(lock);
  cudaFree(account);
}
