// This program sorts with a bitonic sort: within a block in shared memory, across blocks in global
// memory. Large keys make the length a power of two.
#include <algorithm>

#include "check.h"

constexpr unsigned kBlock = 512;  // the number of keys; each thread handles two

__device__ void Order(unsigned& a, unsigned& b, bool up) {
  if ((a > b) == up) {
    const unsigned keep = a;
    a = b;
    b = keep;
  }
}

__global__ void SortBlocks(unsigned* keys) {
  __shared__ unsigned part[kBlock];
  unsigned* const mine = keys + blockIdx.x * kBlock;
  part[threadIdx.x] = mine[threadIdx.x];
  part[threadIdx.x + kBlock / 2] = mine[threadIdx.x + kBlock / 2];
  for (unsigned size = 2; size <= kBlock; size *= 2) {
    const unsigned global = blockIdx.x * kBlock / 2 + threadIdx.x;
    const bool up = (global & (size / 2)) == 0;
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned at = 2 * threadIdx.x - (threadIdx.x & (step - 1));
      Order(part[at], part[at + step], up);
    }
  }
  __syncthreads();
  mine[threadIdx.x] = part[threadIdx.x];
  mine[threadIdx.x + kBlock / 2] = part[threadIdx.x + kBlock / 2];
}

__global__ void Merge(unsigned* keys, unsigned size, unsigned step) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned at = 2 * i - (i & (step - 1));
  Order(keys[at], keys[at + step], (i & (size / 2)) == 0);
}

int main() {
  const unsigned n = 3500, padded = 4096;
  Numbers numbers(7);
  std::vector<unsigned> keys(padded, ~0u);
  for (unsigned i = 0; i < n; ++i) keys[i] = numbers.Next() % 5000;
  const Array<unsigned> device(keys);
  SortBlocks<<<padded / kBlock, kBlock / 2>>>(device.data());
  for (unsigned size = 2 * kBlock; size <= padded; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      Merge<<<padded / 2 / 256, 256>>>(device.data(), size, step);
    }
  }
  CHECK(cudaGetLastError());
  std::vector<unsigned> sorted = device.Get();
  sorted.resize(n);
  std::printf("first %u, middle %u, last %u\n", sorted[0], sorted[n / 2], sorted[n - 1]);
  Show("sorted", sorted);
  std::printf("%s\n", std::is_sorted(sorted.begin(), sorted.end()) ? "in order" : "out of order");
  return 0;
}
