// Vectors in managed memory are added on the device and checked on the host.
// WRONG: the host checks without cudaDeviceSynchronize().
// finds: early_host_use
// prints: Max error: 0
#include <cmath>
#include <iostream>

__global__ void add(int n, const float* x, float* y) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = index; i < n; i += stride) y[i] = x[i] + y[i];
}

int main() {
  int N = 1 << 14;
  float *x, *y;
  cudaMallocManaged(&x, N * sizeof(float));
  cudaMallocManaged(&y, N * sizeof(float));
  for (int i = 0; i < N; i++) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }
  add<<<8, 256>>>(N, x, y);  // named
#ifndef WRONG
  cudaDeviceSynchronize();
#endif
  float maxError = 0.0f;
  for (int i = 0; i < N; i++) {
    maxError = std::fmax(maxError, std::fabs(y[i] - 3.0f));  // named
  }
  std::cout << "Max error: " << maxError << std::endl;
  cudaFree(x);
  cudaFree(y);
}
