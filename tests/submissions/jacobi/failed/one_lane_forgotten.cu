// score: 0
// says: *iterations is
// The first step of the tree looks one lane too far, so that the change of lane 16 is lost.
#include <utility>

#include "jacobi.h"

__global__ void iterate(const float* u, float* next, int width, int height, float* change) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float largest = 0;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const int i = y * width + x;
    const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width]);
    next[i] = mean;
    largest = fabsf(mean - u[i]);
  }
  const int distances[] = {17, 8, 4, 2, 1};
  for (const int distance : distances) {
    largest = fmaxf(largest, __shfl_down_sync(0xFFFFFFFF, largest, distance));
  }
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<int*>(change), __float_as_int(largest));
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  float *second, *change;
  cudaMalloc(&second, bytes);
  cudaMalloc(&change, sizeof(float));
  cudaMemcpy(second, u, bytes, cudaMemcpyDeviceToDevice);
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  float *in = u, *out = second;
  float largest = 0;
  int done = 0;
  do {
    cudaMemset(change, 0, sizeof(float));
    iterate<<<grid, block>>>(in, out, width, height, change);
    cudaMemcpy(&largest, change, sizeof(float), cudaMemcpyDeviceToHost);
    std::swap(in, out);
    ++done;
  } while (largest > tolerance && done < max_iterations);
  *iterations = done;
  if (in != u) cudaMemcpy(u, in, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(change);
  cudaFree(second);
}
