// score: 55
// says: cudaMemcpy
// One copy and one kernel in the default stream, as in a first program.
#include <algorithm>
#include <cstring>

#include "overlap.h"

// Smooths the numbers from `begin` to `end` of the whole array of n numbers.
__global__ void smooth_range(const float* in, float* out, int begin, int end, int n) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end) out[i] = in[max(i - 1, 0)] + 2 * in[i] + in[min(i + 1, n - 1)];
}

void smooth(const float* in, float* out, int n) {
  float* device = nullptr;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemcpy(device, in, n * sizeof(float), cudaMemcpyHostToDevice);
  smooth_range<<<(n + 255) / 256, 256>>>(device, out, 0, n, n);
  cudaDeviceSynchronize();
  cudaFree(device);
}
