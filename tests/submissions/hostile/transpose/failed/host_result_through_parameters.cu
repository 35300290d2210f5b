// score: 0
// says: the host
// The host computes, and passes its result to kernels as parameters, 4,000 bytes at a time.
#include <algorithm>
#include <cstring>
#include <vector>

#include "transpose.h"

constexpr int kPart = 1000;

struct Part {
  float values[kPart];
};

__global__ void store(Part part, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = part.values[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
  const size_t count = static_cast<size_t>(rows) * cols;
  std::vector<float> a(count), b(count);
  cudaMemcpy(a.data(), in, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      b[static_cast<size_t>(c) * rows + r] = a[static_cast<size_t>(r) * cols + c];
    }
  }
  for (size_t at = 0; at < count; at += kPart) {
    const int now = static_cast<int>(std::min<size_t>(kPart, count - at));
    Part part = {};
    memcpy(part.values, b.data() + at, now * sizeof(float));
    store<<<(now + 255) / 256, 256>>>(part, out + at, now);
  }
}
