// score: 90
// says: local memory
// Each thread counts in an array of its own. No lane meets another one, but the array is a part of
// device memory: its index is a byte of the text.
#include "histogram.h"

__global__ void count_alone(const unsigned char* bytes, unsigned* bins, int n) {
  unsigned short counts[kBins] = {};
  const int words = n / 4;
  const int step = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* vector = reinterpret_cast<const unsigned*>(bytes);
  for (int i = thread; i < words; i += step) {
    const unsigned word = vector[i];
    for (int k = 0; k < 4; ++k) ++counts[word >> 8 * k & 255];  // expect: local memory
  }
  if (thread < n % 4) ++counts[bytes[words * 4 + thread]];
  for (int v = 0; v < kBins; ++v) {
    const unsigned sum = __reduce_add_sync(0xffffffff, static_cast<unsigned>(counts[v]));
    if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(&bins[v], sum);
  }
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_alone<<<n / 32768 + 1, 64>>>(bytes, bins, n);
}
