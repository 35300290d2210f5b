// This is the reference solution. Neighbouring threads have neighbouring elements.
#include "NAME.h"

namespace {

constexpr int kThreads = 256;

__global__ void ScaleAndAdd(const float* x, const float* y, float* out, float a, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = a * x[i] + y[i];
}

}  // namespace

void NAME(const float* x, const float* y, float* out, float a, int n) {
  ScaleAndAdd<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, out, a, n);
}
