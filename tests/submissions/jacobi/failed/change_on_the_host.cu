// score: 0
// says: its CUDA calls depend on them
// The host fetches the field after each iteration and compares it with the one before.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "jacobi.h"

__global__ void iterate(const float* u, float* next, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const int i = y * width + x;
    const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width]);
    next[i] = mean;
  }
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  float* second;
  cudaMalloc(&second, bytes);
  cudaMemcpy(second, u, bytes, cudaMemcpyDeviceToDevice);
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  std::vector<float> before(width * height), now(width * height);
  cudaMemcpy(now.data(), u, bytes, cudaMemcpyDeviceToHost);
  float *in = u, *out = second;
  float largest = 0;
  int done = 0;
  do {
    iterate<<<grid, block>>>(in, out, width, height);
    std::swap(before, now);
    cudaMemcpy(now.data(), out, bytes, cudaMemcpyDeviceToHost);
    largest = 0;
    for (size_t i = 0; i < now.size(); ++i) {
      largest = std::max(largest, std::fabs(now[i] - before[i]));
    }
    std::swap(in, out);
    ++done;
  } while (largest > tolerance && done < max_iterations);
  *iterations = done;
  if (in != u) cudaMemcpy(u, in, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(second);
}
