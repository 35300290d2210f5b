// The device works on the first half of managed memory, the host on the second half.
// WRONG: the host starts one element too early.
// finds: early_host_use
// prints: 0 bad
#include <cstdio>

__global__ void Square(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i * i;
}

int main() {
  const int n = 4096, half = n / 2;
  int* x;
  cudaMallocManaged(&x, n * sizeof(int));
#ifdef WRONG
  const int from = half - 1;
#else
  const int from = half;
#endif
  Square<<<half / 128, 128>>>(x, half);  // named
  for (int i = from; i < n; i++) {
    x[i] = i * i;  // named
  }
  cudaDeviceSynchronize();
  int bad = 0;
  for (int i = 0; i < n; i++) bad += x[i] != i * i;
  printf("%d bad\n", bad);
  cudaFree(x);
}
