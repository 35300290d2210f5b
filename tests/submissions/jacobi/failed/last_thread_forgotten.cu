// score: 0
// says: *iterations is
// The tree leaves out the last of the 256 threads.
#include <utility>

#include "jacobi.h"

constexpr int kThreads = 256;

__global__ void iterate(const float* u, float* next, int width, int height, float* change) {
  __shared__ float changes[kThreads];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int t = threadIdx.y * 32 + threadIdx.x;
  changes[t] = 0;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const int i = y * width + x;
    const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width]);
    next[i] = mean;
    changes[t] = fabsf(mean - u[i]);
  }
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half && t + half < kThreads - 1) changes[t] = fmaxf(changes[t], changes[t + half]);
    __syncthreads();
  }
  if (t == 0) atomicMax(reinterpret_cast<int*>(change), __float_as_int(changes[0]));
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
