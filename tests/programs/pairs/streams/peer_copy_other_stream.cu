// cudaMemcpyPeerAsync() copies within one device, as multi-GPU code does when it finds one.
// WRONG: the copy and the kernel that reads its target are in different streams.
// finds: unordered_use
// prints: 4
#include <cstdio>

__global__ void Fill(int* x, int value) { x[threadIdx.x] = value; }
__global__ void Add(const int* x, int* y) { y[threadIdx.x] += x[threadIdx.x]; }

int main() {
  int *x, *copy, *y;
  cudaMalloc(&x, 1024);
  cudaMalloc(&copy, 1024);
  cudaMalloc(&y, 1024);
  cudaMemset(y, 0, 1024);
  cudaDeviceSynchronize();
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  Fill<<<1, 256, 0, s>>>(x, 4);
  cudaMemcpyPeerAsync(copy, 0, x, 0, 1024, s);  // named
  cudaEventRecord(copied, s);
#ifndef WRONG
  cudaStreamWaitEvent(t, copied, cudaEventWaitDefault);
#endif
  Add<<<1, 256, 0, t>>>(copy, y);  // named
  int result;
  cudaStreamSynchronize(t);
  cudaMemcpy(&result, y + 255, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  cudaEventDestroy(copied);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(x);
  cudaFree(copy);
  cudaFree(y);
}
