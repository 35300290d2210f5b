// A backup is made with a copy from the device to the device, then the original is changed.
// WRONG: the copy and the change are in different streams.
// finds: unordered_use
// prints: -16 15
#include <cstdio>

__global__ void Iota(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
__global__ void Invert(int* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = ~x[i];
}

int main() {
  const size_t n = 8192;
  int *original, *backup;
  cudaMalloc((void**)&original, n * sizeof(int));
  cudaMalloc((void**)&backup, n * sizeof(int));
  cudaStream_t work, side;
  cudaStreamCreateWithPriority(&work, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&side, cudaStreamNonBlocking, -1);
  Iota<<<n / 512, 512, 0, work>>>(original);
  cudaStreamSynchronize(work);
#ifdef WRONG
  // A higher priority promises no order.
  cudaMemcpyAsync(backup, original, n * sizeof(int), cudaMemcpyDeviceToDevice, side);  // named
#else
  cudaMemcpyAsync(backup, original, n * sizeof(int), cudaMemcpyDeviceToDevice, work);
#endif
  Invert<<<n / 512, 512, 0, work>>>(original);  // named
  cudaDeviceSynchronize();
  int a, b;
  cudaMemcpy(&a, original + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&b, backup + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", a, b);
  cudaStreamDestroy(work);
  cudaStreamDestroy(side);
  cudaFree(original);
  cudaFree(backup);
}
