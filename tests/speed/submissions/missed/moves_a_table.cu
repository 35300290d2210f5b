// Attack: moves a large table from the host for the kernel. What the host moves is timed too.
#include <vector>

#include "scale.h"

__global__ void doubled(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int count) {
  const std::vector<float> table(count, 2.0F);
  float* on_device = nullptr;
  cudaMalloc(&on_device, table.size() * sizeof(float));
  for (int times = 0; times < 8; ++times) {
    cudaMemcpy(on_device, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice);
  }
  doubled<<<(count + 255) / 256, 256>>>(in, out, count);
  cudaFree(on_device);
}
