// score: 0
// says: *iterations is 50
// The loop ends after 50 iterations, however many are needed and allowed.
#include <algorithm>
#include <utility>

#include "jacobi.h"

namespace {

constexpr int kWarp = 32;  // lanes
constexpr int kRows = 8;   // of a block; each is a warp

// Returns the largest number of the warp, in lane 0.
__device__ float LargestOfWarp(float number) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    number = fmaxf(number, __shfl_down_sync(0xFFFFFFFF, number, distance));
  }
  return number;
}

// Makes an iteration from u to next. *change must be 0 before.
__global__ void Iterate(const float* u, float* next, int width, int height, float* change) {
  __shared__ float of_warps[kRows];
  const int x = static_cast<int>(blockIdx.x * kWarp + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * kRows + threadIdx.y) + 1;

  float largest = 0;
  if (x > 0 && x < width - 1 && y < height - 1) {
    const size_t i = static_cast<size_t>(y) * width + x;
    const float mean = 0.25F * ((u[i - 1] + u[i + 1]) + (u[i - width] + u[i + width]));
    next[i] = mean;
    largest = fabsf(mean - u[i]);
  }
  largest = LargestOfWarp(largest);
  if (threadIdx.x == 0) of_warps[threadIdx.y] = largest;
  __syncthreads();
  if (threadIdx.y != 0) return;
  largest = LargestOfWarp(threadIdx.x < kRows ? of_warps[threadIdx.x] : 0);
  // Floats that are not negative have the same order as the integers of the same bits.
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<int*>(change), __float_as_int(largest));
}

}  // namespace

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  float* other = nullptr;
  float* change = nullptr;
  cudaMalloc(&other, bytes);
  cudaMalloc(&change, sizeof(float));
  // Both fields need the edge, which no kernel writes.
  cudaMemcpy(other, u, bytes, cudaMemcpyDeviceToDevice);

  const dim3 block(kWarp, kRows);
  const dim3 grid((width - 1 + kWarp - 1) / kWarp, (height - 2 + kRows - 1) / kRows);
  float* from = u;
  float* to = other;
  float largest = 0;
  *iterations = 0;
  do {
    cudaMemset(change, 0, sizeof(float));
    Iterate<<<grid, block>>>(from, to, width, height, change);
    cudaMemcpy(&largest, change, sizeof(float), cudaMemcpyDeviceToHost);
    std::swap(from, to);
    ++*iterations;
  } while (largest > tolerance && *iterations < std::min(max_iterations, 50));

  if (from != u) cudaMemcpy(u, from, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(change);
  cudaFree(other);
}
