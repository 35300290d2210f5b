// A hand-over in inline PTX: st.release and ld.acquire.
// WRONG: the store has the scope .cta.
// finds: global_race
// prints: 45
#include <cstdio>

__device__ __forceinline__ void StoreRelease(int* p, int value) {
#ifdef WRONG
  asm volatile("st.release.cta.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
#else
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
#endif
}

__device__ __forceinline__ int LoadAcquire(const int* p) {
  int value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}

__global__ void Relay(int* token, int* turn) {
  while (LoadAcquire(turn) != blockIdx.x) {
  }
  *token += blockIdx.x + 1;  // named
  StoreRelease(turn, blockIdx.x + 1);
}

int main() {
  int *token, *turn, result;
  cudaMalloc(&token, sizeof(int));
  cudaMalloc(&turn, sizeof(int));
  cudaMemset(token, 0, sizeof(int));
  cudaMemset(turn, 0, sizeof(int));
  Relay<<<9, 1>>>(token, turn);
  cudaMemcpy(&result, token, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaFree(token);
  cudaFree(turn);
}
