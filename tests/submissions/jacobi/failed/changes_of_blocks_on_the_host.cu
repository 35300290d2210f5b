// score: 80
// says: are copied from the device to the host
// The host fetches the largest change of each block, and looks for the largest of all.
#include <algorithm>
#include <utility>
#include <vector>

#include "jacobi.h"

constexpr int kThreads = 256;

__global__ void iterate(const float* u, float* next, int width, int height, float* of_blocks) {
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
    if (t < half) changes[t] = fmaxf(changes[t], changes[t + half]);
    __syncthreads();
  }
  if (t == 0) of_blocks[blockIdx.y * gridDim.x + blockIdx.x] = changes[0];
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  const int blocks = (width + 31) / 32 * ((height + 7) / 8);
  std::vector<float> of_blocks(blocks);
  float *second, *change;
  cudaMalloc(&second, bytes);
  cudaMalloc(&change, blocks * sizeof(float));
  cudaMemcpy(second, u, bytes, cudaMemcpyDeviceToDevice);
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  float *in = u, *out = second;
  float largest = 0;
  int done = 0;
  do {
    iterate<<<grid, block>>>(in, out, width, height, change);
    cudaMemcpy(of_blocks.data(), change, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    largest = *std::max_element(of_blocks.begin(), of_blocks.end());
    std::swap(in, out);
    ++done;
  } while (largest > tolerance && done < max_iterations);
  *iterations = done;
  if (in != u) cudaMemcpy(u, in, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(change);
  cudaFree(second);
}
