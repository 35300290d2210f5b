// score: 60
// says: sectors moved
// Each number gets the sums of 1, 2, 4, ... numbers before it, in one launch for each distance. So
// all numbers are moved about log2(n) times.
#include "scan.h"

__global__ void shift(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 ? 0 : in[i - 1];
}

__global__ void add(const int* from, int* to, int n, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}

void exclusive_scan(const int* in, int* out, int n) {
  const int blocks = (n + 255) / 256;
  int* other;
  cudaMalloc(&other, n * sizeof(int));
  int *from = other, *to = out;
  shift<<<blocks, 256>>>(in, from, n);
  for (int distance = 1; distance < n; distance *= 2) {
    add<<<blocks, 256>>>(from, to, n, distance);
    int* old = from;
    from = to;
    to = old;
  }
  if (from != out) cudaMemcpy(out, from, n * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(other);
}
