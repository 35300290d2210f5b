// This program counts bytes: first in global memory, and then in shared memory. A constant table
// maps them.
#include "check.h"

constexpr int kBins = 64;

__constant__ unsigned char table[256];

__global__ void Global(const unsigned char* in, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[table[in[i]]], 1u);
  }
}

__global__ void Shared(const unsigned char* in, unsigned* bins, int n) {
  extern __shared__ unsigned local[];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[table[in[i]]], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    if (local[bin] != 0) atomicAdd(&bins[bin], local[bin]);
  }
}

int main() {
  const int n = 40009;
  Numbers numbers(5);
  std::vector<unsigned char> in(n);
  for (auto& value : in) value = static_cast<unsigned char>(numbers.Next() * (numbers.Next() % 7));
  unsigned char map[256];
  for (int i = 0; i < 256; ++i) map[i] = static_cast<unsigned char>((i * 37 + 11) % kBins);
  CHECK(cudaMemcpyToSymbol(table, map, sizeof map));
  const Array<unsigned char> from(in);
  Array<unsigned> bins(kBins);
  bins.Zero();
  Global<<<20, 128>>>(from.data(), bins.data(), n);
  CHECK(cudaGetLastError());
  const std::vector<unsigned> first = bins.Get();
  bins.Zero();
  Shared<<<20, 128, kBins * sizeof(unsigned)>>>(from.data(), bins.data(), n);
  CHECK(cudaGetLastError());
  const std::vector<unsigned> second = bins.Get();
  for (int i = 0; i < kBins; ++i) std::printf("%u%c", first[i], i % 16 == 15 ? '\n' : ' ');
  std::printf("%s\n", first == second ? "both the same" : "they differ");
  return 0;
}
