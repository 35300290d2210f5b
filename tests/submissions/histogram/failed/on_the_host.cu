// score: 0
// says: host
// The host counts, and copies the result.
#include <vector>

#include "histogram.h"

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  std::vector<unsigned char> copy(n);
  cudaMemcpy(copy.data(), bytes, n, cudaMemcpyDeviceToHost);
  unsigned counts[kBins] = {};
  for (unsigned char byte : copy) ++counts[byte];
  cudaMemcpy(bins, counts, sizeof counts, cudaMemcpyHostToDevice);
}
