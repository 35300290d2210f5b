// The result of a non-blocking stream is fetched with cudaMemcpy().
// WRONG: cudaMemcpy() belongs to the default stream and does not wait for a non-blocking one.
// finds: early_host_use unordered_use
// prints: 0 bad
#include <cstdio>
#include <vector>

__global__ void Saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 7000;
  std::vector<float> x(n, 1), y(n, 2);
  float *dx, *dy;
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
  Saxpy<<<(n + 255) / 256, 256, 0, stream>>>(2, dx, dy, n);  // named
#ifndef WRONG
  cudaStreamSynchronize(stream);
#endif
  cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);  // named
  int bad = 0;
  for (float value : y) bad += value != 4;
  printf("%d bad\n", bad);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaFree(dx);
  cudaFree(dy);
}
