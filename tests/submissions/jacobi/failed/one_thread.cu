// score: 80
// says: let many blocks share the work
// A single thread computes all points.
#include <utility>

#include "jacobi.h"

__global__ void iterate(const float* u, float* next, int width, int height, float* change) {
  float largest = 0;
  for (int i = 0; i < width * height; ++i) {
    const int x = i % width, y = i / width;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) continue;
    const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width]);
    next[i] = mean;
    largest = fmaxf(largest, fabsf(mean - u[i]));
  }
  *change = largest;
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  float *second, *change;
  cudaMalloc(&second, bytes);
  cudaMalloc(&change, sizeof(float));
  cudaMemcpy(second, u, bytes, cudaMemcpyDeviceToDevice);
  float *in = u, *out = second;
  float largest = 0;
  int done = 0;
  do {
    iterate<<<1, 1>>>(in, out, width, height, change);
    cudaMemcpy(&largest, change, sizeof(float), cudaMemcpyDeviceToHost);
    std::swap(in, out);
    ++done;
  } while (largest > tolerance && done < max_iterations);
  *iterations = done;
  if (in != u) cudaMemcpy(u, in, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(change);
  cudaFree(second);
}
