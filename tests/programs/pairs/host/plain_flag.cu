// A kernel tells the host by a flag in mapped memory that its result is there.
// WRONG: it writes the flag as any other element, without a fence, and the host does not wait for
// the kernel. The program must end all the same.
// finds: early_host_use
// prints: 42
#include <cstdio>

__global__ void Work(int* result, volatile int* flag, int* plain_flag) {
  *result = 42;
#ifdef WRONG
  *plain_flag = 1;
#else
  __threadfence_system();
  *flag = 1;
#endif
}

int main() {
  int* memory;
  cudaHostAlloc(&memory, 8192, cudaHostAllocMapped);
  memory[0] = memory[1024] = 0;
  Work<<<1, 1>>>(memory, memory + 1024, memory + 1024);  // named
  volatile int* flag = memory + 1024;
  while (*flag == 0) {  // named
  }
  printf("%d\n", memory[0]);
  cudaDeviceSynchronize();
  cudaFreeHost(memory);
}
