// score: 100
// The largest change lies in managed memory.
#include <utility>

#include "settle.h"

// Makes one round, and finds the largest change.
__global__ void smooth(const float* in, float* out, int n, float* change) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool fixed = i == 0 || i == n - 1;
  const float value = fixed ? in[i] : 0.5f * (in[i] + 0.5f * (in[i - 1] + in[i + 1]));
  out[i] = value;
  // The bits of numbers that are not negative are in the order of the numbers.
  if (!fixed) atomicMax(reinterpret_cast<int*>(change), __float_as_int(fabsf(value - in[i])));
}

void settle(const float* start, float* out, int n, float tolerance) {
  const int blocks = (n + 255) / 256;
  float *from, *to;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  float* change;
  cudaMallocManaged(&change, sizeof(float));
  cudaMemcpy(from, start, n * sizeof(float), cudaMemcpyDeviceToDevice);
  for (float largest = 1; largest > tolerance; std::swap(from, to)) {
    *change = 0;
    smooth<<<blocks, 256>>>(from, to, n, change);
    cudaDeviceSynchronize();
    largest = *change;
  }
  cudaMemcpy(out, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
  cudaFree(change);
}
