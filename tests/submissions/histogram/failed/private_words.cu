// score: 85
// says: bank conflict
// As the usual solution, with loads of four bytes. Lanes that count different values wait for each
// other where these lie in one bank.
#include "histogram.h"

__global__ void count_words(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ unsigned counts[kBins];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned* words = reinterpret_cast<const unsigned*>(bytes);
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n / 4; i += gridDim.x * blockDim.x) {
    unsigned word = words[i];
    for (int j = 0; j < 4; ++j) {
      atomicAdd(&counts[word & 0xff], 1);  // expect: bank conflict
      word >>= 8;
    }
  }
  if (first < n % 4) atomicAdd(&counts[bytes[n - 1 - first]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  count_words<<<128, 256>>>(bytes, bins, n);
}
