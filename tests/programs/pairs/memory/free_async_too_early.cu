// A temporary array of a pool is freed in the stream that allocated it.
// WRONG: another stream may still read it.
// finds: unordered_use
// prints: 3332
#include <cstdio>
#include <cstdlib>

inline void Require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  exit(1);
}

__global__ void Count(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

__global__ void Reverse(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

int main() {
  const int n = 3333;
  cudaStream_t first, second;
  Require(cudaStreamCreate(&first), "stream");
  Require(cudaStreamCreate(&second), "stream");
  cudaEvent_t ready, done;
  Require(cudaEventCreate(&ready), "event");
  Require(cudaEventCreate(&done), "event");
  int *temporary, *out;
  Require(cudaMalloc(&out, n * sizeof(int)), "malloc");
  Require(cudaMallocAsync(&temporary, n * sizeof(int), first), "malloc async");
  Count<<<(n + 255) / 256, 256, 0, first>>>(temporary, n);
  Require(cudaEventRecord(ready, first), "record");
  Require(cudaStreamWaitEvent(second, ready), "wait");
  Reverse<<<(n + 255) / 256, 256, 0, second>>>(temporary, out, n);  // named
  Require(cudaEventRecord(done, second), "record");
#ifndef WRONG
  Require(cudaStreamWaitEvent(first, done), "wait");
#endif
  Require(cudaFreeAsync(temporary, first), "free async");  // named
  int top;
  Require(cudaStreamSynchronize(second), "synchronize");
  Require(cudaMemcpy(&top, out, sizeof(int), cudaMemcpyDeviceToHost), "copy");
  printf("%d\n", top);
  Require(cudaStreamSynchronize(first), "synchronize");
  Require(cudaFree(out), "free");
  cudaEventDestroy(ready);
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
