// score: 0
// says: host
// The tile is an array of the host, which a kernel cannot read.
#include <cstdlib>

#include "stencil.h"

__global__ void stencil_from_host(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j) sum += in[i + j];
  out[i] = sum;
}

void stencil(const float* in, float* out, int n) {
  float* padded = static_cast<float*>(calloc(n + 2 * kRadius, sizeof(float)));
  cudaMemcpy(padded + kRadius, in, n * sizeof(float), cudaMemcpyDeviceToHost);
  stencil_from_host<<<(n + 255) / 256, 256>>>(padded, out, n);
  cudaDeviceSynchronize();
  free(padded);
}
