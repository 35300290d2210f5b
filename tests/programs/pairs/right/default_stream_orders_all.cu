// Blocking streams are ordered by work of the default stream between them, and cudaMemcpy() waits
// for all of them. Memory is freed while it may be in use, which cudaFree() allows.
// prints: 7
#include <cstdio>

__global__ void Set(int* x, int value) { x[threadIdx.x] = value; }
__global__ void Add(const int* x, const int* y, int* z) {
  z[threadIdx.x] = x[threadIdx.x] + y[threadIdx.x];
}

int main() {
  int *x, *y, *z, *scratch, result[256];
  cudaMalloc(&x, 1024);
  cudaMalloc(&y, 1024);
  cudaMalloc(&z, 1024);
  cudaMalloc(&scratch, 1024);
  cudaStream_t a, b, c;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  int least, greatest;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStreamCreateWithPriority(&c, cudaStreamDefault, greatest);
  Set<<<1, 256, 0, a>>>(x, 3);
  Set<<<1, 256, 0, b>>>(y, 4);
  Set<<<1, 256>>>(scratch, 0);
  Add<<<1, 256, 0, c>>>(x, y, z);
  Set<<<1, 256, 0, b>>>(scratch, 1);
  cudaMemcpy(result, z, sizeof(result), cudaMemcpyDeviceToHost);
  Set<<<1, 256, 0, a>>>(scratch, 2);
  cudaFree(scratch);
  printf("%d\n", result[9]);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaStreamDestroy(c);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
