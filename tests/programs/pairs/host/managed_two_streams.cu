// Managed memory is written in one stream and prefetched and read in another.
// WRONG: the prefetch is ordered with nothing, and neither is the kernel behind it.
// finds: unordered_use
// prints: 271
#include <cstdio>

__global__ void Cubes(long* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = static_cast<long>(i) * i * i;
}

__global__ void Differences(const long* x, long* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) d[i] = x[i + 1] - x[i];
}

int main() {
  const int n = 2000;
  long *x, *d;
  cudaMallocManaged(&x, n * sizeof(long));
  cudaMallocManaged(&d, n * sizeof(long));
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  int device = 0;
  cudaGetDevice(&device);
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  location.id = device;
  Cubes<<<8, 256, 0, a>>>(x, n);  // named
#ifndef WRONG
  cudaStreamSynchronize(a);
#endif
  cudaMemPrefetchAsync(x, n * sizeof(long), location, 0, b);
  Differences<<<8, 256, 0, b>>>(x, d, n);  // named
  cudaDeviceSynchronize();
  printf("%ld\n", d[9]);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(x);
  cudaFree(d);
}
